#!/usr/bin/env bash
# Sandtable against OpenSpiel on this machine: sets up a virtual environment (outside the repository), builds this
# side's program, and runs both in turn. Arguments go to openspiel.py, for example: run.sh --rounds 11 --write RESULTS.md
# With `aims` first they go to aims.py: run.sh aims --write AIMS.md
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
environment=${SANDTABLE_PEERS_VENV:-$HOME/.cache/sandtable-peers}
if ! "$environment/bin/python" -c 'import pyspiel' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi
cargo build --quiet --release --manifest-path "$here/../Cargo.toml" --example peer
target=$(cargo metadata --format-version 1 --no-deps --manifest-path "$here/../Cargo.toml" |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
cd "$here"
script=openspiel.py
if [ "${1:-}" = aims ]; then
  script=aims.py
  shift
fi
exec "$environment/bin/python" "$script" "$target/release/examples/peer" "$@"
