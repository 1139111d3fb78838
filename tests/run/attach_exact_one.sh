#!/bin/sh
# attach_exact_one.sh TOLL LIB - toll attach --exact records every call of a process of Lua 5.4, --inside takes samples in it; what
# cannot be recorded is refused. attach_exact.sh and attach_inside.sh have more.
. "$(dirname "$0")/attach_support.sh"
lua=lua5.4
command -v $lua >/dev/null 2>&1 || skip "there is no $lua"
begin_service
record 20 2
ask 3
[ ! -s service.err ] || fail "it says $(cat service.err)"
end_service

begin_busy $lua
"$toll" attach --inside --seconds 1 --hz 1000 -o at.pb.gz "$pid" >at.out 2>&1 || fail "--inside: $(cat at.out)"
"$toll" report -q --json at.pb.gz | jq -e '.functions[] | select(.name == "fib" and .self > 0)' >/dev/null ||
    fail "--inside: fib has no samples: $("$toll" report -q --json at.pb.gz)"
end_busy

# Two at once; and what contains no Lua, is prepared, or is no process.
begin_busy "$lua"
begin_recording 3
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
echo "attach_exact_one: every call, and samples"
