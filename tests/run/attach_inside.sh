#!/bin/sh
# attach_inside.sh TOLL LIB - toll attach --inside: the Lua module takes the samples within a process that runs already, in each
# Lua; LuaJIT's compiler stays on. Their sum is the process's CPU time, and the process lives on.
. "$(dirname "$0")/attach_support.sh"
cat >busy.lua <<'S'
local function leaf(n) local x = 0 for i = 1, n do x = x + i % 7 end return x end
local function heavy() return (leaf(90000)) end
local function light() return (leaf(10000)) end
local co = coroutine.wrap(function() while true do light() coroutine.yield() end end)
local turns = io.open("turns", "w")
while true do heavy() co() if turns:seek("cur") < 100000 then turns:write(".") turns:flush() end end
S
report() { "$toll" report -q --rows 0 --json "$1"; }
total() { report at.pb.gz | jq "[.functions[] | select(.name == \"$1\") | .total] | add // 0"; }
cpu() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; } # in ticks of 10 ms
for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
    command -v $lua >/dev/null 2>&1 || continue
    tried="$tried $lua"
    begin_busy $lua
    for hz in 250 1000; do
        begin=$(cpu)
        "$toll" attach --inside --seconds 2 --hz $hz -o at.pb.gz "$pid" >at.out 2>&1 || fail "$lua: $(cat at.out)"
        used=$((($(cpu) - begin + 2) * 10000000))
        sum=$(report at.pb.gz | jq .total)
        [ "$sum" -gt 100000000 ] && [ "$sum" -le $used ] || fail "$lua: the sum is $sum ns of $used ns"
        [ "$sum" -eq "$(report at.pb.gz | jq '[.functions[].self] | add')" ] || fail "$lua: the sum is not that of its functions"
        [ "$(total heavy)" -gt $((2 * $(total light))) ] && [ "$(total light)" -gt 0 ] || fail "$lua: heavy has $(total heavy) ns, and light, a ninth of it, $(total light)"
        report at.pb.gz | jq -e ".comments | any(. == \"sampled: every $((1000000000 / hz)) nanoseconds of cpu\")" >/dev/null || fail "$lua: $(report at.pb.gz | jq -c .comments)"
    done
    kill "$pid" || fail "$lua: it has not lived on"
    wait "$pid" 2>/dev/null
done
[ -n "$tried" ] || skip "there is no Lua"
# LuaJIT's profiler is in use: that is said, and the script's own recording is written as ever.
if command -v luajit >/dev/null 2>&1; then
    cat >used.lua <<S
package.cpath = "$lib/lua/5.1/?.so"
local toll, profile = require "toll", require "jit.profile"
local function own() end
profile.start("f", function() end)
io.open("ready", "w"):close()
io.read()
own()
io.read()
profile.stop()
toll.start { output = "own.pb.gz" }
own()
toll.stop()
S
    rm -f ready
    mkfifo wait
    luajit used.lua <wait &
    pid=$!
    exec 3>wait
    until [ -e ready ]; do sleep 0.05; done
    rm -f at.out
    "$toll" attach --inside --seconds 2 -o no.pb.gz "$pid" >at.out 2>&1 &
    attach=$!
    until grep -qs recording at.out || ! kill -0 $attach 2>/dev/null; do sleep 0.05; done
    echo line >&3
    wait $attach && fail "LuaJIT's profiler is in use: $(cat at.out)"
    grep -q "LuaJIT's profiler is in use" at.out || fail "LuaJIT's profiler is in use: $(cat at.out)"
    echo line >&3
    exec 3>&-
    wait "$pid" || fail "the script"
    [ "$(calls own own.pb.gz)" = 1 ] || fail "the script's own recording: $(ls)"
fi
"$toll" attach --inside --exact 1 >at.out 2>&1
[ $? = 2 ] && grep -q 'one of --inside and --exact' at.out || fail "both: $(cat at.out)"
echo "attach_inside:$tried"
