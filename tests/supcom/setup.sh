#!/bin/sh
# setup.sh SOURCE DIR - installs Lua 5.0.3 (npm) into DIR.
set -eu
for program in node npm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$2"
cd "$2"
cp "$1"/tests/supcom/package.json "$1"/tests/supcom/package-lock.json "$1"/tests/supcom/.npmrc \
    "$1"/tests/supcom/*.mjs .
cmp -s package-lock.json installed-lock.json || npm ci --silent --ignore-scripts
cp package-lock.json installed-lock.json
