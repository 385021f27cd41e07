"""Judges Sandtable's rates at the pace of the machine on which its aims were set, and prints a table.

Usage: aims.py PEER_BINARY [--rounds N] [--seconds S] [--write FILE]

Why and how is described in README.md.
"""

import argparse
import datetime
import os
import statistics

from openspiel import OpenSpiel, conditions, sandtable_run, spread, write

# What OpenSpiel's loops reached, a second, on the machine on which the aims were set.
YARDSTICKS = {
    ("connect_four", "playouts"): 118_000,
    ("backgammon", "playouts"): 546,
    ("connect_four", "mcts"): 129_000,
}
# Name, game and work of the peer program, what is counted, its unit, and the least rate aimed at.
AIMS = [
    ("BlitzWar, random campaigns", "blitzwar", "playouts", "units", "/s", 300),
    ("BlitzWar, random decisions", "blitzwar", "playouts", "decisions", " million/s", 2),
    ("BlitzWar, scripted campaigns", "blitzwar", "scripted", "units", "/s", 20),
    ("BlitzWar, light rollouts of a campaign", "blitzwar", "light", "units", "/s", 100),
    ("Victory in Europe, random campaigns", "victory_in_europe", "playouts", "units", "/s", 150),
    ("Victory in Europe, random decisions", "victory_in_europe", "playouts", "decisions", " million/s", 1.5),
    ("Victory in Europe, determinizations drawn in scripted play", "victory_in_europe", "determinizations_scripted", "units", " thousand/s", 200),
    ("Victory in Europe, determinizations drawn in random play", "victory_in_europe", "determinizations_random", "units", " thousand/s", 200),
]
# Of a search of OpenSpiel's.
SIMULATIONS = 10_000
SCALES = {"/s": 1, " thousand/s": 1e3, " million/s": 1e6}


def main():
    parser = argparse.ArgumentParser(description="Sandtable's aims, at the pace of the machine on which they were set.")
    parser.add_argument("binary", help="the example `peer` of sandtable-benches")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of each turn")
    parser.add_argument("--write", help="write the report to this file as well")
    arguments = parser.parse_args()

    load_before = os.getloadavg()[0]
    peers = {(game, kind): OpenSpiel(game, SIMULATIONS) for game, kind in YARDSTICKS}
    theirs = {key: [] for key in YARDSTICKS}
    ours = {aim[0]: [] for aim in AIMS}
    pairs = dict.fromkeys((game, work) for _, game, work, *_ in AIMS)
    # The first round only warms up.
    for turn in range(arguments.rounds + 1):
        rates = {key: peer.rate(key[1], arguments.seconds) for key, peer in peers.items()}
        works = {pair: sandtable_run(arguments.binary, *pair, arguments.seconds) for pair in pairs}
        if turn == 0:
            continue
        for key, rate in rates.items():
            theirs[key].append(rate)
        for name, game, work, counted, unit, _ in AIMS:
            ours[name].append(works[game, work].rate(counted) / SCALES[unit])

    def at_pace(rates, yardstick):
        """Each round's rate, were this machine as fast in it as the other in the yardstick."""
        there = YARDSTICKS[yardstick]
        return [rate * there / here for rate, here in zip(rates, theirs[yardstick])]

    lines = [
        "# Sandtable's aims, at the pace of the machine on which they were set",
        "",
        f"Written by `run.sh aims` on {datetime.date.today().isoformat()}. The method is in [README.md](README.md).",
        "",
        "| yardstick: OpenSpiel's loop, one thread | there, a second | here | pace of this machine |",
        "|---|---:|---:|---:|",
    ]
    for (game, kind), there in YARDSTICKS.items():
        here = theirs[game, kind]
        pace = spread([rate / there for rate in here], 2)
        lines.append(f"| {game.replace('_', ' ')}, {kind} | {there:,} | {spread(here, 0)} | {pace} |")
    titles = [f"by {game.replace('_', ' ')}, {kind}" for game, kind in YARDSTICKS]
    lines += [
        "",
        f"| rate of Sandtable, one thread | aim | here | {' | '.join(titles)} |",
        f"|---|---:|---:|{'---:|' * len(titles)}",
    ]
    for name, _, _, _, unit, aim in AIMS:
        digits = 0 if aim >= 20 else 2
        cells = [spread(ours[name], digits)] + [spread(at_pace(ours[name], key), digits) for key in YARDSTICKS]
        lines.append(f"| {name} | {aim:g}{unit} | {' | '.join(cells)} |")
    met = [
        name
        for name, _, _, _, _, aim in AIMS
        if all(statistics.median(at_pace(ours[name], key)) >= aim for key in YARDSTICKS)
    ]
    missed = [aim[0] for aim in AIMS if aim[0] not in met]
    lines += [
        "",
        f"Median (lowest to highest) of {arguments.rounds} rounds of {arguments.seconds:g} s of processor time each, all works"
        f" in turn; searches of {SIMULATIONS:,} simulations.",
        "",
        "Medians that miss their aim by some yardstick: " + ("; ".join(missed) if missed else "none") + ".",
        "",
        *conditions(load_before),
    ]
    print("\n".join(lines))
    write(lines, arguments.write)


if __name__ == "__main__":
    main()
