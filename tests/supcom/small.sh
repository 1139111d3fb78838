#!/bin/sh
# small.sh LUA SOURCE - small.lua's log in an interpreter of Lua 5.1 to 5.4, in a game and without one,
# is the one expected; coroutine.wrap is what it was;
# coroutines in coroutines cost what they did;
# keys and schedules work; and frames are measured by a duty cycle.
set -eu
command -v "$1" >/dev/null 2>&1 || { echo "skipped: there is no $1"; exit 77; }
here=$2/tests/supcom
profiler=$2/hosts/supcom/profiler.lua
expected=$here/small.expected
[ "$1" = lua5.1 ] && expected=$here/small.lua5.1.expected # 5.1 reports tail calls when they return
for mode in plain game; do
    "$1" "$here/small_run.lua" "$profiler" "$here/small.lua" $mode | diff "$expected" -
done
"$1" "$here/wrap.lua" "$profiler"
"$1" "$here/nested.lua" "$profiler"
"$1" "$here/frames.lua" "$profiler"
"$1" "$here/session_run.lua" "$profiler" "$here/session.lua"
