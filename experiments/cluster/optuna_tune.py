#!/usr/bin/env python3
"""Lets Optuna tune an agent or a scenario, through ``sandtable tune ... --ask-tell``.

    pip install -r requirements.txt
    python optuna_tune.py --trials 60 --games 100 -- \\
        mcts:iterations=50 --scenario reference/connect-four --option c=0.1..3

What stands after ``--`` are the arguments of ``sandtable tune``. All trials are played with the same dice, so that they differ
by their values alone; as the best of many trials was lucky too, its value is then measured anew with fresh dice. With
``--storage`` (such as ``sqlite:///tune.db``) the trials are kept, and a later call of the same study adds to them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState

INPUT_ERROR = 2
TRIAL_DICE = 0
FRESH_DICE = 1


class Refused(RuntimeError):
    """The program does not take its arguments."""


class Program:
    """A running ``sandtable tune ... --ask-tell``, to be used in a ``with`` statement."""

    def __init__(self, program: str, arguments: list[str]) -> None:
        self._process = subprocess.Popen(
            [program, "tune", *arguments, "--ask-tell"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.space: list[dict] = self._read()["space"]
        """The parameters: name, kind, range and start."""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        # The end of its input ends the program.
        self._process.communicate()

    def ask(self, point: dict[str, float], games: int, seed: int) -> dict:
        """What the program answers about a point: ``value``, ``standard_error`` and so on, or ``error``."""
        question = {"id": None, "point": point, "games": games, "seed": seed}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict:
        line = self._process.stdout.readline()
        if not line:
            _, message = self._process.communicate()
            raise Refused(message.strip())
        return json.loads(line)


def distributions(space: list[dict]) -> dict[str, BaseDistribution]:
    """The space in Optuna's terms; a category is chosen by its index, as the program wants it."""
    kinds = {
        "real": lambda one: FloatDistribution(one["low"], one["high"]),
        "integer": lambda one: IntDistribution(one["low"], one["high"]),
        "categorical": lambda one: CategoricalDistribution(list(range(len(one["values"])))),
    }
    return {one["name"]: kinds[one["kind"]](one) for one in space}


def start(space: list[dict]) -> dict[str, float]:
    """The values that hold now."""
    return {one["name"]: one["start"] if one["kind"] == "real" else int(one["start"]) for one in space}


@dataclass(frozen=True)
class Found:
    """The best trial, and what its values are worth with dice that no trial has seen."""

    point: dict[str, float]
    value: float
    fresh_value: float
    fresh_standard_error: float


def tune(program: Program, study: optuna.Study, trials: int, games: int) -> Found:
    """Plays so many more trials of the study; the first of a new study are the values that hold now."""
    space = distributions(program.space)
    if not study.trials:
        study.enqueue_trial(start(program.space))
    for _ in range(trials):
        trial = study.ask(space)
        answer = program.ask(trial.params, games, TRIAL_DICE)
        if "error" in answer:
            # Values that do not go together: the sampler is told, and goes elsewhere.
            study.tell(trial, state=TrialState.FAIL)
        else:
            study.tell(trial, answer["value"])
    best = study.best_trial
    fresh = program.ask(best.params, 4 * games, FRESH_DICE)
    return Found(best.params, best.value, fresh["value"], fresh["standard_error"])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="sandtable", help="the path of the program [default: sandtable]")
    parser.add_argument("--trials", type=int, default=50, help="how many points are tried [default: 50]")
    parser.add_argument("--games", type=int, default=100, help="how many games at each [default: 100]")
    parser.add_argument("--seed", type=int, default=1, help="the seed of Optuna's sampler [default: 1]")
    parser.add_argument("--storage", help="where Optuna keeps the trials, such as sqlite:///tune.db [default: nowhere]")
    parser.add_argument("--study", default="sandtable", help="the name of the study there [default: sandtable]")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="-- and the arguments of sandtable tune")
    args = parser.parse_args(arguments)
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command or args.trials < 1 or args.games < 2:
        parser.error("expected at least one trial, two games, and the arguments of sandtable tune after --")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=args.seed, multivariate=True),
        storage=args.storage,
        study_name=args.study,
        load_if_exists=True,
    )
    try:
        with Program(args.program, command) as program:
            found = tune(program, study, args.trials, args.games)
    except (Refused, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return INPUT_ERROR
    for name, value in found.point.items():
        print(f"{name} = {value}")
    print(f"value {found.value:.4f} in {len(study.trials)} trials")
    print(f"with fresh dice {found.fresh_value:.4f}, standard error of the score {found.fresh_standard_error:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
