#!/bin/sh
# cpu_time.sh TOLL LIB - with --clock cpu the time of a Lua script is its processor time, held to os.clock: what it waits for is
# not in it. The same where the clock is read by a system call at each event.
. "$(dirname "$0")/support.sh"
cat >wait.lua <<'S'
local function work(until_s) while os.clock() < until_s do end end
work(0.3)
os.execute("sleep 0.5")
work(0.6)
io.open("clock", "w"):write(string.format("%d", os.clock() * 1e9)):close()
S
total() { "$toll" report -q --json toll.pb.gz | jq .total; }
command -v jq >/dev/null 2>&1 || skip "there is no jq"

# held WHAT: the time is the script's. It begins after the interpreter has started, and ends after the clock was read.
held() {
    clock=$(cat clock) time=$(total)
    [ "$time" -gt $((clock * 3 / 4)) ] && [ "$time" -lt $((clock + 50000000)) ] || fail "$1: $time ns; os.clock says $clock"
}
run 0 --clock cpu -q lua5.4 wait.lua
held "--clock cpu"
GLIBC_TUNABLES=glibc.pthread.rseq=0 run 0 --clock cpu -q lua5.4 wait.lua
held "--clock cpu, by system calls"
run 0 -q lua5.4 wait.lua
[ "$(total)" -gt $(($(cat clock) + 400000000)) ] || fail "--clock wall: $(total) ns; os.clock says $(cat clock)"
finish
