"""Times OpenSpiel's C++ loops and Sandtable on the same work, in turn, and prints the ratios.

Usage: openspiel.py PEER_BINARY [--rounds N] [--seconds S] [--simulations N] [--write FILE]

What is timed, and how, is described in README.md.
"""

import argparse
import datetime
import importlib.metadata
import os
import platform
import random
import statistics
import subprocess
import time
import typing

import pyspiel

# Games, and how many playouts or searches OpenSpiel does between two looks at the clock.
GAMES = {"connect_four": {"playouts": 4000, "mcts": 1}, "backgammon": {"playouts": 4, "mcts": 1}}
# The ratios that Sandtable sets itself.
TARGETS = {
    ("connect_four", "playouts"): 15,
    ("backgammon", "playouts"): 50,
    ("connect_four", "mcts"): 8,
    ("backgammon", "mcts"): 30,
}
UNITS = {"playouts": "games/s", "mcts": "simulations/s"}


def openings(game):
    """All states in which the first player decides: one, or one for each opening roll."""
    state = game.new_initial_state()
    if not state.is_chance_node():
        return [state]
    return [state.child(action) for action, _ in state.chance_outcomes()]


class OpenSpiel:
    """Work done in C++; Python only starts batches of it."""

    def __init__(self, name, simulations):
        self.game = pyspiel.load_game(name)
        self.roots = openings(self.game)
        self.next = 0
        self.batch = GAMES[name]
        self.simulations = simulations

    def bot(self, rollouts, simulations):
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, self.next)
        # uct_c, simulations, memory in MB, solve, seed, verbose.
        return pyspiel.MCTSBot(self.game, evaluator, 1.0, simulations, 2000, False, self.next, False)

    def work(self, kind):
        """One batch; returns games or simulations done."""
        root = self.roots[self.next % len(self.roots)]
        self.next += 1
        if kind == "mcts":
            self.bot(1, self.simulations).mcts_search(root)
            return self.simulations
        # A search of one simulation evaluates its root: it plays that many games out from there, and does nothing else.
        games = self.batch[kind]
        self.bot(games, 1).mcts_search(root)
        return games

    def rate(self, kind, seconds):
        start, units, spent = time.thread_time(), 0, 0.0
        while spent < seconds:
            units += self.work(kind)
            spent = time.thread_time() - start
        return units / spent


class Run(typing.NamedTuple):
    """What one run of Sandtable's peer program did."""

    units: int
    decisions: int
    turns: int
    seconds: float

    def rate(self, counted="units"):
        return getattr(self, counted) / self.seconds


def sandtable_run(binary, *arguments):
    command = [binary, *map(str, arguments)]
    *counts, seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return Run(*map(int, counts), float(seconds))


def lengths_of_games(name, games):
    """Mean decisions and mean turns (runs of decisions by one player between rolls) of random OpenSpiel games."""
    game, dice = pyspiel.load_game(name), random.Random(1)
    decisions = turns = 0
    for _ in range(games):
        state, mover = game.new_initial_state(), None
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes())
                state.apply_action(dice.choices(actions, weights)[0])
                continue
            decisions += 1
            turns += state.current_player() != mover
            mover = state.current_player()
            state.apply_action(dice.choice(state.legal_actions()))
    return decisions / games, turns / games


def machine():
    model = platform.processor()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            fields = dict(line.split(":", 1) for line in lines if ":" in line)
        fields = {key.strip(): value.strip() for key, value in fields.items()}
        model = f"{fields['model name']} (family {fields['cpu family']}, model {fields['model']})"
    except (OSError, KeyError):
        pass
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}"


def version(*command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def spread(values, digits):
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def conditions(load_before):
    """Lines that say what was measured where."""
    return [
        f"- Machine: {machine()}; load average {load_before:.1f} at the start, {os.getloadavg()[0]:.1f} at the end.",
        f"- OpenSpiel {importlib.metadata.version('open_spiel')} from PyPI, Python {platform.python_version()}.",
        f"- Sandtable at commit {version('git', 'rev-parse', '--short', 'HEAD')}, {version('rustc', '--version')},"
        " release profile.",
        "",
    ]


def write(report, path):
    """Writes the lines of a report to a file, if one is named."""
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(report))


def main():
    parser = argparse.ArgumentParser(description="Sandtable against OpenSpiel, interleaved.")
    parser.add_argument("binary", help="the example `peer` of sandtable-benches")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.5, help="processor time of each turn")
    parser.add_argument("--simulations", type=int, default=10_000, help="simulations of a search")
    parser.add_argument("--write", help="write the report to this file as well")
    arguments = parser.parse_args()

    load_before = os.getloadavg()[0]
    rows, lengths = [], []
    for (name, kind), target in TARGETS.items():
        peer = OpenSpiel(name, arguments.simulations)
        theirs, ours = [], []
        # The first round only warms up.
        for turn in range(arguments.rounds + 1):
            their_rate = peer.rate(kind, arguments.seconds)
            run = sandtable_run(arguments.binary, name, kind, arguments.seconds, arguments.simulations)
            if turn > 0:
                theirs.append(their_rate)
                ours.append(run.rate())
        ratios = [our / their for our, their in zip(ours, theirs)]
        title = f"{name.replace('_', ' ')}, {kind}, {UNITS[kind]}"
        rows.append(f"| {title} | {spread(theirs, 0)} | {spread(ours, 0)} | {spread(ratios, 1)} | {target} |")
        print(rows[-1], flush=True)
        if kind == "playouts":
            length = run.decisions / run.units, run.turns / run.units
            lengths.append((name.replace("_", " "), *lengths_of_games(name, 500), *length))

    report = [
        "# Sandtable against OpenSpiel",
        "",
        f"Written by `run.sh` on {datetime.date.today().isoformat()}. The method is in [README.md](README.md).",
        "",
        "| work, one thread | OpenSpiel (C++) | Sandtable | ratio | aim |",
        "|---|---:|---:|---:|---:|",
        *rows,
        "",
        f"Median (lowest to highest) of {arguments.rounds} rounds of {arguments.seconds:g} s of processor time each, in"
        f" turn; searches of {arguments.simulations:,} simulations.",
        "",
        "Random games, mean decisions and turns: "
        + "; ".join(
            f"{name} {their_decisions:.0f} and {their_turns:.0f} (OpenSpiel), {decisions:.0f} and {turns:.0f}"
            for name, their_decisions, their_turns, decisions, turns in lengths
        )
        + ".",
        "",
        *conditions(load_before),
    ]
    write(report, arguments.write)


if __name__ == "__main__":
    main()
