"""Optuna finds what is known to be better, and goes on with a study that it has kept.

    pip install -r requirements.txt
    SANDTABLE=../../target/release/sandtable pytest test_optuna.py
"""

from __future__ import annotations

import os
import warnings

import optuna
import pytest

import optuna_tune
from optuna_tune import Program, distributions, start, tune

PROGRAM = os.path.abspath(os.environ.get("SANDTABLE", "sandtable"))
# More simulations play better: that is known.
AGENT = ["flat-mc:iterations=4", "--scenario", "reference/connect-four", "--option", "iterations=2..60"]
TUNE = ["--program", PROGRAM, "--trials", "15", "--games", "60", "--", *AGENT]


@pytest.fixture(autouse=True)
def quiet():
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)


def study() -> optuna.Study:
    return optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=3))


def test_the_space_is_that_of_the_program():
    command = ["mcts:iterations=30", "--scenario", "reference/connect-four"]
    with Program(PROGRAM, [*command, "--option", "c=0.1..3", "--option", "iterations=2..90"]) as program:
        space = distributions(program.space)
        assert space["c"] == optuna.distributions.FloatDistribution(0.1, 3.0)
        assert space["iterations"] == optuna.distributions.IntDistribution(2, 90)
        assert start(program.space) == {"c": 0.5, "iterations": 30}
        # Against itself an agent scores one half, and what is wrong is told and ends nothing.
        assert program.ask({}, 20, 0)["value"] == 0.5
        assert "from 0.1 to 3" in program.ask({"c": 9.0}, 20, 0)["error"]
        assert program.ask({}, 20, 0)["value"] == 0.5


def test_more_simulations_are_found_to_be_better():
    with Program(PROGRAM, AGENT) as program:
        ours = study()
        found = tune(program, ours, trials=15, games=60)
    assert ours.trials[0].params == {"iterations": 4} and ours.trials[0].value == 0.5
    assert found.point["iterations"] > 20
    assert found.value > 0.6 and found.fresh_value > 0.6
    assert 0 < found.fresh_standard_error < 0.1


def test_a_scenario_is_moved_to_its_target():
    parameter = "combat.modifiers.german_attack=1..8"
    command = ["scenario", "blitzwar/france-1940", "--parameter", parameter, "--target", "axis=0.5"]
    with Program(PROGRAM, command) as program:
        found = tune(program, study(), trials=6, games=10)
    # Less the squared distance from the target, corrected for chance.
    assert -0.25 <= found.fresh_value <= 0.05 and 1 <= found.point["combat.modifiers.german_attack"] <= 8


def test_trials_are_kept_and_added_to(tmp_path, capsys):
    storage = ["--storage", f"sqlite:///{tmp_path}/tune.db"]
    assert optuna_tune.main([*storage, *TUNE]) == 0
    assert "in 15 trials" in capsys.readouterr().out
    assert optuna_tune.main([*storage, *TUNE]) == 0
    page = capsys.readouterr().out
    assert "in 30 trials" in page and "iterations = " in page and "fresh dice" in page


def test_bad_input_is_named(capsys):
    assert optuna_tune.main(["--program", PROGRAM, "--", "mcts:iterations=30"]) == 2
    assert "add --scenario" in capsys.readouterr().err
    assert optuna_tune.main(["--program", "no-such-program", "--", *AGENT]) == 2
    with pytest.raises(SystemExit):
        optuna_tune.main(["--program", PROGRAM])
