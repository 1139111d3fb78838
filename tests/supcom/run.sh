#!/bin/sh
# run.sh LUA SOURCE SEEDS - game.lua in an interpreter of Lua 5.1 to 5.4, seed by seed.
set -eu
command -v "$1" >/dev/null 2>&1 || { echo "skipped: there is no $1"; exit 77; }
seed=1
while [ $seed -le "$3" ]; do
    "$1" "$2/tests/supcom/run.lua" "$2/hosts/supcom/profiler.lua" "$2/tests/supcom/game.lua" $seed
    seed=$((seed + 1))
done
