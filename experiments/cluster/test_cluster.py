"""The engines give the tables of an undisturbed run, also when workers are killed.

    pip install -r requirements.txt
    SANDTABLE=../../target/release/sandtable pytest test_cluster.py
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
import ray
import yaml
from ray.cluster_utils import Cluster

import ray_run
from shards import Job, ShardFailed, folder_of

HERE = Path(__file__).resolve().parent
PROGRAM = os.path.abspath(os.environ.get("SANDTABLE", "sandtable"))
RUN = ("play", "blitzwar/campaign-1939", "--games", "600", "--seed", "5", "--agents", "scripted", "--part-games", "25")
SMALL = ("play", "reference/backgammon", "--games", "300", "--seed", "5", "--agents", "random", "--part-games", "20")
MATCH = ("tournament", "--scenario", "reference/kuhn", "--agent", "random", "--agent", "flat-mc:iterations=20", "--pairs", "90")

EXPERIMENT = """
scenario = "blitzwar/france-1940"
games = 8
agents = ["random"]
[design]
kind = "grid"
points = 3
[[factor]]
path = "combat.modifiers.air_superiority"
range = [0, 4]
whole = true
"""


def tables(folder: Path) -> dict[str, bytes]:
    """All table files by their path."""
    files = (path for path in folder.rglob("*") if path.suffix in (".parquet", ".csv"))
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files if "timings" not in path.parts}
    assert found
    return found


def undisturbed(out: Path, command: tuple[str, ...]) -> dict[str, bytes]:
    subprocess.run([PROGRAM, *command, "--out", str(out), "--quiet"], check=True)
    return tables(out)


@pytest.fixture
def two_machines():
    """A cluster of two nodes with a worker each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, second
    ray.shutdown()
    cluster.shutdown()


def in_background(job: Job, out: Path, **options) -> tuple[threading.Thread, list]:
    result: list = []

    def work() -> None:
        try:
            result.append(ray_run.run(job, out, retries=8, quiet=True, **options))
        except Exception as error:  # noqa: BLE001 -- it is the test's to look at
            result.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    return thread, result


def playing(root: Path) -> dict[int, int]:
    """The programs that play below a folder: their process, and that of the worker."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if words[0].decode(errors="replace") == PROGRAM and any(str(root).encode() in word for word in words):
            found[int(entry.name)] = parent
    return found


def wait_for(condition, seconds: float = 120.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def test_a_killed_worker_and_a_killed_program_change_no_table(tmp_path, two_machines):
    whole = undisturbed(tmp_path / "whole", RUN)
    out = tmp_path / "parts"
    root = tmp_path / "parts.shards"
    thread, result = in_background(Job(PROGRAM, RUN, 4), out, collect=False)
    # Once a shard has finished a part, its worker dies; then the program of another one.
    wait_for(lambda: root.exists() and list(root.glob("shard-*/games/*.parquet")))
    program, worker = wait_for(lambda: next(iter(playing(root).items()), None))
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: program not in playing(root))
    other = wait_for(lambda: next(iter(playing(root)), None))
    os.kill(other, signal.SIGKILL)
    thread.join(300)
    assert not isinstance(result[0], Exception), result[0]
    assert tables(out) == whole


def test_a_lost_machine_changes_no_table(tmp_path, two_machines):
    cluster, second = two_machines
    whole = undisturbed(tmp_path / "whole", RUN)
    thread, result = in_background(Job(PROGRAM, RUN, 4), tmp_path / "parts", collect=True)
    wait_for(lambda: len(playing(Path("shard"))) == 2)
    cluster.remove_node(second, allow_graceful=False)
    thread.join(300)
    assert not isinstance(result[0], Exception), result[0]
    assert tables(tmp_path / "parts") == whole


def test_tournaments_and_sweeps_too_and_failures_are_told_once(tmp_path, two_machines):
    whole = undisturbed(tmp_path / "whole", MATCH)
    ray_run.run(Job(PROGRAM, MATCH, 3), tmp_path / "parts", collect=False, retries=2, quiet=True)
    ours = tables(tmp_path / "parts")
    figures = {name: data for name, data in whole.items() if not name.startswith("results")}
    assert figures == {name: data for name, data in ours.items() if not name.startswith("results")}
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(EXPERIMENT)
    sweep = ("sweep", str(experiment))
    whole = undisturbed(tmp_path / "whole-sweep", sweep)
    for collect in (False, True):
        out = tmp_path / f"parts-of-sweep-{collect}"
        ray_run.run(Job(PROGRAM, sweep, 3), out, collect=collect, retries=2, quiet=True)
        assert tables(out) == whole
    wrong = Job(PROGRAM, ("play", "blitzwar/campain-1939"), 2)
    with pytest.raises((ShardFailed, ray.exceptions.RayTaskError), match="campaign-1939"):
        ray_run.run(wrong, tmp_path / "wrong", collect=False, retries=2, quiet=True)


def test_the_driver_goes_on_where_it_was_stopped(tmp_path, two_machines):
    whole = undisturbed(tmp_path / "whole", SMALL)
    root = tmp_path / "parts.shards"
    job = Job(PROGRAM, SMALL, 5)
    job.play(2, folder_of(root, 2))
    (root / f"{ray_run.DONE}-2").touch()
    before = folder_of(root, 2).joinpath("manifest.json").stat().st_mtime_ns
    ray_run.run(job, tmp_path / "parts", collect=False, retries=2, quiet=True)
    assert folder_of(root, 2).joinpath("manifest.json").stat().st_mtime_ns == before
    assert tables(tmp_path / "parts") == whole


@pytest.mark.parametrize(
    "arguments",
    [
        ["--shards", "0", "--out", "x", "--", *SMALL],
        ["--shards", "2", "--out", "x", "--", *SMALL, "--threads", "3"],
        ["--shards", "2", "--out", str(HERE), "--", *SMALL],
    ],
)
def test_bad_input_is_refused_before_anything_starts(arguments, capsys):
    assert ray_run.main(arguments) == 2
    assert "expected" in capsys.readouterr().err


def shell(script: list[str], environment: dict[str, str]) -> None:
    path = f"{Path(PROGRAM).parent}:{os.environ['PATH']}"
    subprocess.run(script, env={**os.environ, "PATH": path, **environment}, check=True, capture_output=True)


def test_the_slurm_template_plays_and_merges(tmp_path):
    whole = undisturbed(tmp_path / "whole", SMALL)
    environment = {"OUT": str(tmp_path / "parts"), "SHARDS": "3", "RUN": " ".join(SMALL), "SANDTABLE": PROGRAM}
    # Task 2 is requeued: it finds its folder.
    for task in ["1", "2", "3", "2", "0"]:
        shell(["bash", str(HERE / "slurm.sbatch")], {**environment, "SLURM_ARRAY_TASK_ID": task})
    assert tables(tmp_path / "parts") == whole


def test_the_kubernetes_templates_play_and_merge(tmp_path):
    whole = undisturbed(tmp_path / "whole", SMALL)
    environment = {"OUT": str(tmp_path / "parts"), "SHARDS": "3", "RUN": " ".join(SMALL), "THREADS": "1"}
    for name, indices in [("kubernetes.yaml", ["0", "1", "2", "1"]), ("kubernetes-merge.yaml", ["0"])]:
        job = yaml.safe_load((HERE / name).read_text())
        (container,) = job["spec"]["template"]["spec"]["containers"]
        assert {variable["name"] for variable in container["env"]} <= set(environment)
        for index in indices:
            shell([*container["command"], *container["args"]], {**environment, "JOB_COMPLETION_INDEX": index})
    assert tables(tmp_path / "parts") == whole
