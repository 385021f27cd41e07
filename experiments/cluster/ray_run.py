#!/usr/bin/env python3
"""Plays the shards of a sandtable run on a Ray cluster and puts them together.

    python ray_run.py --shards 64 --out runs/big -- play blitzwar/campaign-1939 --games 1000000 --agents scripted

With ``--address`` it joins a running cluster (``auto``, or ``ray://host:10001``), else it starts one on this machine.
Workers that die are replaced; their shards go on where they were stopped if the folder is on a disk that all machines
share, and from the beginning with ``--collect``. Started again after it was stopped itself, it goes on with the shards that
are missing.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import ray
from ray import cloudpickle

sys.path.insert(0, str(Path(__file__).resolve().parent))
import shards  # noqa: E402
from shards import INPUT_ERROR, Job, ShardFailed, ShardKilled, folder_of, merge, pack, unpack  # noqa: E402

# The machines that work need not have these files.
cloudpickle.register_pickle_by_value(shards)

DONE = "shard-is-complete"


def play_here(job: Job, index: int, folder: str) -> int:
    """Plays a shard in a folder that all machines see."""
    job.play(index, Path(folder))
    return index


def play_and_send(job: Job, index: int) -> tuple[int, bytes]:
    """Plays a shard on the worker's own disk and sends it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "shard"
        job.play(index, folder)
        return index, pack(folder)


def run(job: Job, out: Path, *, collect: bool, retries: int, quiet: bool) -> str:
    """Plays all shards that are missing, merges them into ``out``; returns what ``sandtable merge`` says."""
    root = out.with_name(out.name + ".shards")
    root.mkdir(parents=True, exist_ok=True)
    # The retries are for workers and programs that are killed. What the program refuses or fails at is not tried again.
    options = {"num_cpus": job.threads, "max_retries": retries, "retry_exceptions": [ShardKilled]}
    remote_here = ray.remote(**options)(play_here)
    remote_send = ray.remote(**options)(play_and_send)
    missing = [index for index in range(1, job.shards + 1) if not (root / f"{DONE}-{index}").exists()]
    waiting = [
        remote_send.remote(job, index) if collect else remote_here.remote(job, index, str(folder_of(root, index)))
        for index in missing
    ]
    done = job.shards - len(missing)
    while waiting:
        ready, waiting = ray.wait(waiting, num_returns=1)
        result = ray.get(ready[0])
        if collect:
            index, data = result
            unpack(data, folder_of(root, index))
        else:
            index = result
        (root / f"{DONE}-{index}").touch()
        done += 1
        if not quiet:
            print(f"{done}/{job.shards} shards", file=sys.stderr, flush=True)
    return merge(job.program, out, [folder_of(root, index) for index in range(1, job.shards + 1)])


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, required=True, help="how many shards; several a worker keep all busy")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the whole; shards are kept in OUT.shards")
    parser.add_argument("--program", default="sandtable", help="the program on the workers [default: sandtable]")
    parser.add_argument("--threads", type=int, default=1, help="threads a shard [default: 1]")
    parser.add_argument("--address", help="the Ray cluster [default: a new one on this machine]")
    parser.add_argument("--collect", action="store_true", help="send finished shards here: no disk is shared")
    parser.add_argument("--retries", type=int, default=16, help="how often a shard may lose its worker [default: 16]")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.add_argument("command", nargs="+", help="the command of sandtable, after --")
    args = parser.parse_args(arguments)
    program = os.path.abspath(args.program) if os.sep in args.program else args.program
    job = Job(program, tuple(args.command), args.shards, args.threads)
    try:
        job.check()
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return INPUT_ERROR
    if args.out.exists() and any(args.out.iterdir()):
        print(f"error: --out {args.out}: expected a new or empty folder", file=sys.stderr)
        return INPUT_ERROR
    if args.address:
        ray.init(address=args.address, log_to_driver=False)
    else:
        ray.init(log_to_driver=False, include_dashboard=False)
    try:
        print(run(job, args.out.resolve(), collect=args.collect, retries=args.retries, quiet=args.quiet), end="")
    except (ShardFailed, ray.exceptions.RayTaskError) as error:
        cause = getattr(error, "cause", None) or error
        print(f"error: {cause}", file=sys.stderr)
        return INPUT_ERROR if "exit code 2" in str(cause) else 1
    finally:
        ray.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
