# Sourced by the scripts here: the program to measure, and a median. Build it first with `cargo build --release`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [[ -z ${SANDTABLE:-} ]]; then
  target=$(cargo metadata --format-version 1 --no-deps --manifest-path "$root/Cargo.toml" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
  SANDTABLE=$target/release/sandtable
fi
[[ -x $SANDTABLE ]] || { echo "no program at $SANDTABLE: run cargo build --release, or set SANDTABLE" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Seconds by the clock that a command takes. Its output goes to a file, which is shown if it fails.
seconds() {
  local start=$EPOCHREALTIME
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  local end=$EPOCHREALTIME
  awk -v a="$start" -v b="$end" 'BEGIN { printf "%.6f\n", b - a }'
}

# Lowest, median and highest of the numbers on standard input, one a line.
spread() {
  sort -g | awk '{ v[NR] = $1 } END { printf "%.3f (%.3f to %.3f)\n", v[int((NR + 1) / 2)], v[1], v[NR] }'
}
