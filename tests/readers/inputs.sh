#!/bin/sh
# inputs.sh TOLL SOURCE DIR - installs the npm packages into DIR and makes the profiles there:
#   run       a real program, time, calls and heap (the scheduler of examples/: many coroutines)
#   small     a few functions in two threads, with its order in time
#   labels    the small one of two hosts and a test
#   names     names that are hard to write: quotes, brackets, numbers, spaces, other scripts
set -eu
toll=$1
source=$2
dir=$3
lua=
for l in lua5.4 lua5.3 lua5.2 lua5.1 luajit; do
    command -v $l >/dev/null 2>&1 && { lua=$l; break; }
done
[ -n "$lua" ] || { echo "skipped: there is no Lua"; exit 77; }
command -v npm >/dev/null 2>&1 || { echo "skipped: there is no npm"; exit 77; }
mkdir -p "$dir"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/readers" .
cp "$source"/tests/readers/*.mjs "$source"/tests/readers/lines.go .

"$toll" run -q --heap -o run.pb.gz "$lua" "$source/examples/scheduler.lua" 3 200 >/dev/null
cat >small.lua <<'L'
local function spin(n) local x = 0 for i = 1, n do x = x + i % 3 end return x end
local function work(n) return spin(n) + spin(2 * n) end
local co = coroutine.wrap(function() while true do work(1000) coroutine.yield() end end)
for i = 1, 20 do work(20000) co() end -- main has most: speedscope shows the thread with most
L
"$toll" run -q --timeline small.evented.speedscope.json -o small.pb.gz "$lua" small.lua
cat >names.folded <<'F'
(1);operator() [const];std::map<int, "x"> & y 7
(1);(2) 5
(1);fn=(3) 4
main;{closure#0};größe — 日本 3
main;tab	and\backslash;$_='quote' 2
main;0x7f00 1
F
"$toll" convert -q names.folded -o names.pb.gz
for name in run small names; do
    "$toll" convert -q $name.pb.gz -o $name.speedscope.json
    "$toll" convert -q $name.pb.gz -o $name.callgrind
done
"$toll" convert -q small.pb.gz --label host=a --label 'test=größe = 7' -o host_a.pb.gz
"$toll" convert -q small.pb.gz --label host=b -o host_b.pb.gz
"$toll" merge -q host_a.pb.gz host_b.pb.gz -o labels.pb.gz
"$toll" convert -q small.evented.speedscope.json -o small.trace.json
