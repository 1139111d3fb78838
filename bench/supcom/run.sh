#!/bin/sh
# run.sh SOURCE DIR - installs Lua 5.0 into DIR and measures hosts/supcom/profiler.lua in it.
set -eu
sh "$1/tests/supcom/setup.sh" "$1" "$2" || exit 0
cp "$1/bench/supcom/events.mjs" "$2"
cd "$2"
node events.mjs "$1"
