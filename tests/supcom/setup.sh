#!/bin/sh
# setup.sh SOURCE DIR - installs Lua 5.0.3 (npm) into DIR.
set -eu
for program in node npm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$2"
cd "$2"
sh "$1/tests/packages/npm.sh" "$1/tests/supcom" .
cp "$1"/tests/supcom/*.mjs .
