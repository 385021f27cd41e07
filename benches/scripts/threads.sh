#!/usr/bin/env bash
# Two threads of one run against two independent runs at the same time, each with one thread and half of the games.
#
#   threads.sh [SCENARIO [AGENT [GAMES [ROUNDS]]]]     default: blitzwar/campaign-1939 random 2000 5
#
# Both play the same number of games; they take turns, after a round to warm up. Prints the time of the two runs (the later
# one to finish) over the time of the two threads, round by round: 1 means that threads cost nothing.
set -euo pipefail
source "$(dirname "$0")/common.sh"
scenario=${1:-blitzwar/campaign-1939} agent=${2:-random} games=${3:-2000} rounds=${4:-5}

# play OUT THREADS GAMES SEED
play() {
  "$SANDTABLE" play "$scenario" --agents "$agent" --quiet --out "$work/$1" --threads "$2" --games "$3" --seed "$4"
}

together() { play threads 2 "$games" 1; }

apart() {
  play one 1 "$((games / 2))" 1 &
  local one=$!
  play two 1 "$((games / 2))" 2
  wait "$one"
}

for ((round = 0; round <= rounds; round++)); do
  rm -rf "$work/threads" "$work/one" "$work/two"
  threads=$(seconds together)
  processes=$(seconds apart)
  ((round == 0)) && continue
  awk -v n="$games" -v a="$threads" -v b="$processes" \
    'BEGIN { printf "two threads %.1f games/s, two processes %.1f games/s, ratio %.3f\n", n / a, n / b, b / a }'
  awk -v a="$threads" -v b="$processes" 'BEGIN { print b / a }' >>"$work/ratios"
done
echo "ratio: $(spread <"$work/ratios")"
