#!/usr/bin/env bash
# What the tables cost: runs with all default tables (games, turns, facts such as battles) against bare play.
#
#   tables.sh [SCENARIO [ROUNDS [SECONDS]]]     default: blitzwar/campaign-1939 5 10
#   tables.sh --count [SCENARIO [GAMES]]        default: blitzwar/campaign-1939 500
#
# The first takes turns inside one process: `sandtable bench` plays the same random games without tables and with all of
# them, kept, encoded and dropped instead of written to a disk. Prints what it says in each round.
#
# The second counts instructions with valgrind, which other work on the machine does not change. It needs
# `cargo build --release -p sandtable --example tables`. A whole part of the tables is 500 games: with fewer games the
# share of what is written once a part is too large.
set -euo pipefail
source "$(dirname "$0")/common.sh"

if [[ ${1:-} == --count ]]; then
  scenario=${2:-blitzwar/campaign-1939} games=${3:-500}
  # instructions MODE GAMES
  instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "${SANDTABLE%/*}/examples/tables" "$1" "$2" "$scenario" 2>&1 |
      awk '/Collected/ { print $4 }'
  }
  start=$(instructions bare 0) bare=$(instructions bare "$games")
  kept=$(instructions kept "$games") encoded=$(instructions encoded "$games")
  awk -v n="$games" -v s="$start" -v b="$bare" -v k="$kept" -v e="$encoded" 'BEGIN {
    printf "instructions a game: bare %.0f, rows %.0f, encoding %.0f\n", (b - s) / n, (k - b) / n, (e - k) / n
    printf "tables add %.2f%%\n", 100 * (e - b) / (b - s)
  }'
  exit
fi

scenario=${1:-blitzwar/campaign-1939} rounds=${2:-5} length=${3:-10}
for ((round = 1; round <= rounds; round++)); do
  "$SANDTABLE" bench "$scenario" --seconds "$length" | tee "$work/said"
  sed -n 's/.*add[^0-9-]*\(-\{0,1\}[0-9.]*\)%.*/\1/p' "$work/said" >>"$work/shares"
done
echo "tables add, in percent of bare play: $(spread <"$work/shares")"
