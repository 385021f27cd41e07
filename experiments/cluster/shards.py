"""Shards of a sandtable run: what an engine has to do for each of them, and how they are put together.

A run, a tournament or a sweep is cut into shards with ``--shard I/N``. A shard is deterministic and goes on where it was
stopped, so an engine may start it again as often as it likes, on whichever machine sees its folder.
"""

from __future__ import annotations

import ctypes
import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

# What only the caller may decide.
RESERVED = ("--out", "--shard", "--threads", "--resume", "--quiet", "--json")
INPUT_ERROR = 2


class ShardFailed(RuntimeError):
    """The program refused its input, or failed; starting it again would not help."""


class ShardKilled(RuntimeError):
    """The program was killed, by an operator or for want of memory: the shard can be gone on with."""


@dataclass(frozen=True)
class Job:
    """A command of the program, to be cut into shards."""

    program: str
    """The path of the program ``sandtable`` on the machines that work."""
    command: tuple[str, ...]
    """Its arguments, such as ``("play", "blitzwar/campaign-1939", "--games", "100000")``."""
    shards: int
    """How many shards."""
    threads: int = 1
    """How many threads a shard uses."""

    def check(self) -> None:
        """Raises ValueError unless the command can be cut into shards."""
        if self.shards < 1:
            raise ValueError(f"--shards {self.shards}: expected 1 or more")
        if not self.command:
            raise ValueError("expected a command of sandtable after --, such as: -- play blitzwar/campaign-1939")
        for argument in self.command:
            name = argument.split("=", 1)[0]
            if name in RESERVED:
                raise ValueError(f"{argument}: expected no {name} in the command, it is set for every shard")

    def arguments(self, index: int, folder: Path) -> list[str]:
        """The command line of shard ``index``, counted from 1: it begins the shard, or goes on with it."""
        more = ["--shard", f"{index}/{self.shards}", "--out", str(folder), "--threads", str(self.threads), "--quiet"]
        # A tournament or a sweep goes on by itself with what is in the folder; a run of games is asked to.
        if self.command[0] == "play" and (folder / "manifest.json").exists():
            more.append("--resume")
        return [self.program, *self.command, *more]

    def play(self, index: int, folder: Path) -> None:
        """Plays shard ``index`` in ``folder`` to its end. Raises ShardFailed or ShardKilled."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            self.arguments(index, folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_die_with_parent,
            check=False,
        )
        shard = f"shard {index}/{self.shards} in {folder}"
        if done.returncode < 0:
            raise ShardKilled(f"{shard}: killed by signal {-done.returncode}")
        if done.returncode > 0:
            raise ShardFailed(f"{shard}: exit code {done.returncode}: {done.stderr.strip()}")


def merge(program: str, out: Path, folders: list[Path]) -> str:
    """Puts the shards together in ``out``; returns what the program says. Raises ShardFailed."""
    done = subprocess.run(
        [program, "merge", str(out), *map(str, folders)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ShardFailed(f"merge into {out}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def folder_of(root: Path, index: int) -> Path:
    """Where shard ``index`` is kept below ``root``."""
    return root / f"shard-{index:05}"


def pack(folder: Path) -> bytes:
    """A finished shard as bytes, for machines that share no disk."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        archive.add(folder, arcname=".")
    return buffer.getvalue()


def unpack(data: bytes, folder: Path) -> None:
    """The shard of :func:`pack` in ``folder``, which appears as a whole or not at all."""
    aside = folder.with_name(folder.name + ".new")
    shutil.rmtree(aside, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(aside, filter="data")
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)


def _die_with_parent() -> None:
    """A worker that is killed takes its program along: the next one would find the folder locked."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
        if os.getppid() == 1:
            os._exit(1)
