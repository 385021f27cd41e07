#!/usr/bin/env bash
# What the tables cost: runs with all default tables (games, turns, facts such as battles) against bare play.
#
#   tables.sh [SCENARIO [ROUNDS [SECONDS]]]     default: blitzwar/campaign-1939 5 10
#
# Takes turns inside one process: `sandtable bench` plays the same random games without tables and with all of them, kept,
# encoded and dropped instead of written to a disk. Prints what it says in each round.
set -euo pipefail
source "$(dirname "$0")/common.sh"
scenario=${1:-blitzwar/campaign-1939} rounds=${2:-5} length=${3:-10}

for ((round = 1; round <= rounds; round++)); do
  "$SANDTABLE" bench "$scenario" --seconds "$length" | tee "$work/said"
  sed -n 's/.*add[^0-9-]*\(-\{0,1\}[0-9.]*\)%.*/\1/p' "$work/said" >>"$work/shares"
done
echo "tables add, in percent of bare play: $(spread <"$work/shares")"
