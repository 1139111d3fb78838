#!/bin/sh
# attach_exact.sh TOLL LIB - toll attach --exact records every call of a process that runs already, in each Lua, and no other:
# the figures are equal to the calls that were asked for. The process lives on, also if toll is killed at any moment; what it
# had open is as before. What cannot be recorded is refused.
. "$(dirname "$0")/attach_support.sh"
cat >busy.lua <<'S'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local co = coroutine.wrap(function() while true do fib(12) coroutine.yield() end end)
local file = io.open("turns", "w")
while true do fib(12) co() if file:seek("cur") < 100000 then file:write(".") file:flush() end end
S
# begin_busy LUA: a program that is never idle; its number is $pid.
begin_busy() {
    rm -f turns
    "$1" busy.lua &
    pid=$!
    until [ -s turns ]; do sleep 0.05; done
}
# record_busy COMMAND: records it. What LuaJIT has compiled has no hooks: then it may be tried again.
record_busy() {
    for _ in 1 2 3 4 5; do
        rm -f at.pb.gz
        "$@" -o at.pb.gz "$pid" >at.out 2>&1
        [ -s at.pb.gz ] || [ "$lua" != luajit ] && break
    done
    [ -s at.pb.gz ] || fail "$lua: $*: $(cat at.out)"
    [ "$(calls fib at.pb.gz)" -gt 0 ] || fail "$lua: $*: no calls"
}
end_busy() {
    kill "$pid"
    wait "$pid" 2>/dev/null
}

tried=
for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
    command -v $lua >/dev/null 2>&1 || continue
    tried="$tried $lua" asked=0
    rm -f in out
    mkfifo in out
    $lua service.lua <in >out 2>service.err &
    pid=$!
    exec 3>in 4<out
    ask 1
    record 20 4
    ask 3
    record 5 4
    ask 3
    [ ! -s service.err ] || fail "$lua: it says $(cat service.err)"
    exec 3>&-
    read -r sum <&4
    [ "$sum" = end ] || fail "$lua: its end is '$sum'"
    wait $pid || fail "$lua: status $?"
    exec 4<&-

    begin_busy $lua
    record_busy timeout -s INT 2 "$toll" attach -q --exact --seconds 60
    for delay in 0.002 0.005 0.01 0.02 0.04 0.3; do
        "$toll" attach -q --exact --seconds 1 -o at.pb.gz "$pid" >at.out 2>&1 &
        attach=$!
        sleep $delay
        kill -9 $attach 2>/dev/null
        wait $attach 2>/dev/null
        kill -0 "$pid" 2>/dev/null || fail "$lua: dead, as toll was killed after $delay s"
    done
    sleep 3.5
    record_busy "$toll" attach -q --exact --seconds 1
    end_busy
    for file in /tmp/toll-attach-*/"$pid"-1.pb.gz; do rm -rf "$(dirname "$file")"; done # what they have left
done
[ -n "$tried" ] || skip "there is no Lua"

# Two at once; and what contains no Lua, is prepared, or is no process.
lua=lua5.4
begin_busy "$lua"
begin_recording 4
sleep 0.5
"$toll" attach -q --exact --seconds 1 -o two.pb.gz "$pid" >two.out 2>&1 && fail "two at once"
grep -q 'another toll attach' two.out || fail "two at once: $(cat two.out)"
wait $attach || fail "the first of two: $(cat at.out)"
end_busy
# It has the module, is recorded, and prepares itself then.
cat >prepared.lua <<S
package.cpath = "$lib/lua/5.4/?.so"
local toll = require "toll"
local function begins() end
io.open("ready", "w"):close()
io.read()
begins()
io.read()
assert(toll.control { signal = "USR1", output = "/tmp/%p.pb.gz" })
io.open("prepared", "w"):close()
io.read()
S
mkfifo wait
$lua prepared.lua <wait &
pid=$!
exec 3>wait
until [ -e ready ]; do sleep 0.05; done
export TOLL_LUA_DIR=$lib/lua
begin_recording 2
echo line >&3
wait $attach || fail "a process that has the module: $(cat at.out)"
[ "$(calls begins at.pb.gz)" = 1 ] || fail "a process that has the module: $(cat at.out)"
echo line >&3
until [ -e prepared ]; do sleep 0.05; done
"$toll" attach -q --exact --seconds 1 "$pid" >at.out 2>&1 && fail "a prepared process"
grep -q 'prepared by toll.control' at.out || fail "a prepared process: $(cat at.out)"
kill -0 "$pid" || fail "the prepared process died"
exec 3>&-
wait "$pid"
sleep 30 &
pid=$!
until grep -q sleep /proc/$pid/comm; do sleep 0.05; done
"$toll" attach -q --exact "$pid" >at.out 2>&1 && fail "sleep"
grep -q 'there is no Lua in it' at.out || fail "sleep: $(cat at.out)"
kill "$pid"
"$toll" attach --exact --hz 9 "$pid" >at.out 2>&1 && fail "--hz"
grep -q 'hz is for samples' at.out || fail "--hz: $(cat at.out)"
[ -z "$(ls at.pb.gz.* 2>/dev/null)" ] || fail "a half-written file"
echo "attach_exact:$tried: every call, and the process lives on"
