#!/bin/sh
# attach.sh TOLL LIB - toll attach samples a process that runs already, in each Lua: its functions have the names of their
# definitions, coroutines are followed, and the process lives on, also if toll is killed. attach_one.sh has what is refused.
. "$(dirname "$0")/attach_program.sh"
cat >long.lua <<'S'
local M = {}
function M.leaf(n)
    local x = 0
    for i = 1, n do x = x + i % 7 end
    return x
end
local function alloc(n)
    local t = {}
    for i = 1, n do t[i] = { i } end
    return #t
end
M.text = function(n)
    local t = {}
    for i = 1, n do t[i] = ("x"):rep(2000) end
    return #table.concat(t)
end
local turns = coroutine.wrap(function()
    while true do
        M.leaf(200000)
        coroutine.yield()
    end
end)
local of_text = (loadstring or load)("local x = 0\nfor i = 1, 300000 do x = x + i % 7 end\nreturn x")
local of_line = (loadstring or load)("local x = 0 for i = 1, 300000 do x = x + i % 7 end return x")
local texts = io.open("texts", "w")
for _, f in ipairs { of_text, of_line } do texts:write(debug.getinfo(f, "S").short_src, "\n") end
texts:close()
local function deep(n)
    if n == 0 then return (M.leaf(400000)) end
    return 1 + deep(n - 1)
end
local data = {}
for i = 1, 3000 do data[i] = i * 7919 % 3001 end
local turn = 0
while true do
    M.leaf(60000)
    alloc(20000)
    M.text(400)
    turns()
    of_text()
    of_line()
    deep(300)
    local copy = {}
    for i = 1, #data do copy[i] = data[i] end
    table.sort(copy, function(a, b) return a < b end)
    turn = turn + 1
    if turn % 5 == 0 then
        local f = io.open("turns", "w")
        f:write(turn, "\n")
        f:close()
    end
end
S
report() { "$toll" report -q --rows 0 --json "$1"; }
total() { report at.pb.gz | jq "[.functions[] | select(.name == \"$1\") | .total] | add // 0"; }
share_of_find() { report "$1" | jq '100 * ([.functions[] | select(.name | endswith("find")) | .self] | add // 0) / .total | floor'; }
# goes_on: does the program make turns?
goes_on() {
    before=$(cat turns)
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.1
        [ "$(cat turns)" != "$before" ] && return 0
    done
    return 1
}
# Decodes JSON: a tenth of the time is in find, in calls of less than a microsecond.
source=$(cd "$(dirname "$0")/../.." && pwd)
cat >short.lua <<S
package.path = "$source/examples/json_bench/?.lua;" .. package.path
local round = dofile("$source/bench/lua/json.lua")
for turn = 1, tonumber(arg[1]) or 1e9 do
    for _ = 1, 3 do round() end
    local f = io.open("turns", "w")
    f:write(turn, "\n")
    f:close()
end
S

for lua in lua5.1 lua5.2 lua5.3 lua5.4; do
    command -v $lua >/dev/null 2>&1 || { echo "not tried: there is no $lua"; continue; }
    begin $lua long.lua
    "$toll" attach -q --seconds 1 --hz 1000 -o at.pb.gz "$pid" 2>err || { fail "$lua: $(cat err)"; end; continue; }
    for name in M.leaf alloc M.text deep sort; do
        [ "$(total $name)" -gt 0 ] || fail "$lua: $name has nothing: $(report at.pb.gz | jq -c '[.functions[] | [.name, .total]]')"
    done
    report at.pb.gz | jq -e '.functions[] | select(.name == "M.text" and .file == "long.lua" and .line == 12)' >/dev/null || fail "$lua: the place of M.text"
    while read -r text; do
        report at.pb.gz | jq -e --arg text "$text" '.functions[] | select(.file == $text)' >/dev/null || fail "$lua: $text: $(report at.pb.gz | jq -c '[.functions[].file]')"
    done <texts
    report at.pb.gz | jq -e '.threads | any(startswith("coroutine "))' >/dev/null || fail "$lua: no coroutine: $(report at.pb.gz | jq -c .threads)"
    report at.pb.gz | jq -e '.notes | any(.text | startswith("samples of stacks that are cut off at 200 frames"))' >/dev/null || fail "$lua: deep stacks"
    [ "$(report at.pb.gz | jq .total)" -eq "$(report at.pb.gz | jq '[.functions[].self] | add')" ] || fail "$lua: the sum"
    "$toll" attach --list >out
    grep -q "^ *$pid  *$lua  *Lua ${lua#lua} .* 1 state$" out || fail "$lua: the list says: $(cat out)"
    end
    # Short calls, below a deep stack, have the share that samples from within see.
    # Other programs on this machine may be in the way of a second's samples: three tries.
    "$toll" run -q --sample=500 -o within.pb.gz $lua short.lua 10
    within=$(share_of_find within.pb.gz) shares=
    for _ in 1 2 3; do
        begin $lua short.lua
        "$toll" attach -q --seconds 1 --hz 500 -o short.pb.gz "$pid" || fail "$lua: short calls: status $?"
        "$toll" attach --list >out
        grep -q "^ *$pid  *$lua  *Lua ${lua#lua} .* 1 state$" out || fail "$lua: the list says: $(cat out)"
        end
        seen=$(share_of_find short.pb.gz)
        shares="$shares $seen $(report short.pb.gz | jq -c .notes)"
        [ $((10 * seen)) -ge $((4 * within)) ] && break
    done
    [ "$within" -ge 5 ] && [ $((10 * seen)) -ge $((4 * within)) ] || fail "$lua: find has$shares % of the samples, $within % from within"
done

# Its heap becomes smaller and larger while it is searched for the state.
cat >texts.lua <<S
local round = dofile("$source/bench/lua/strings.lua")
io.open("started", "w"):close()
while true do round() end
S
for ms in 02 03 05 08 10 15; do
    rm -f started
    lua5.4 texts.lua &
    pid=$!
    while [ ! -e started ]; do sleep 0.01; done # before that it may have no state yet
    sleep 0.$ms
    timeout --preserve-status -s INT 0.3 "$toll" attach -q --seconds 9 -o heap.pb.gz "$pid" || fail "a heap that changes: status $?"
    end
done

# Killed at any moment, toll leaves a process that works, and no file.
begin lua5.4 long.lua
for ms in 030 070 110 150 190; do
    "$toll" attach -q -o killed.pb.gz "$pid" &
    sleep 0.$ms
    kill -9 $!
    wait $! 2>/dev/null
done
goes_on || fail "the process does not go on after toll was killed"
[ ! -e killed.pb.gz ] || fail "a file is there"
# Two at once; and Ctrl-C ends one of them sooner.
"$toll" attach -q --seconds 1 -o one.pb.gz "$pid" &
one=$!
"$toll" attach -q --seconds 60 -o two.pb.gz "$pid" &
two=$!
wait $one || fail "the first of two"
kill -TERM $two
wait $two || fail "one that is interrupted"
[ -s one.pb.gz ] && [ -s two.pb.gz ] || fail "two at once have written $(ls)"
# The process ends before its samples do.
"$toll" attach -q --seconds 60 -o ended.pb.gz "$pid" &
one=$!
sleep 0.5
end
wait $one || fail "the process ends: status $?"
report ended.pb.gz | jq -e '.notes | any(.text == "the process ended before its samples did")' >/dev/null || fail "no note says that the process ended"

# It ends, and its parent does not ask how: it is a zombie.
sh -c "lua5.4 short.lua & echo \$! >number; exec sleep 30" &
parent=$!
sleep 0.5
timeout 10 "$toll" attach -q --seconds 60 -o zombie.pb.gz "$(cat number)" &
one=$!
sleep 0.5
kill "$(cat number)"
wait $one || fail "a zombie: status $?"
kill $parent 2>/dev/null
report zombie.pb.gz | jq -e '.notes | any(.text == "the process ended before its samples did")' >/dev/null || fail "a zombie: $(report zombie.pb.gz | jq -c .notes)"

# A debugger traces it already: a note says so.
if command -v gdb >/dev/null 2>&1; then
    begin lua5.4 short.lua
    gdb -q -batch -p "$pid" -ex continue >gdb.out 2>&1 </dev/null &
    debugger=$!
    for _ in $(seq 40); do # until it traces it, has read its symbols and lets it run
        ! grep -q '^TracerPid:.0$' "/proc/$pid/status" && grep -q '^State:.R' "/proc/$pid/status" && break
        sleep 0.5
    done
    "$toll" attach -q --seconds 1 -o traced.pb.gz "$pid" || fail "a process that is traced: status $?"
    kill -INT $debugger
    end
    wait $debugger 2>/dev/null
    report traced.pb.gz | jq -e '.notes | any(.text | startswith("samples while a thread ran that could not be stopped"))' >/dev/null ||
        fail "a process that is traced: $(report traced.pb.gz | jq -c .notes) $(cat gdb.out)"
fi

finish
