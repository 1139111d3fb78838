#!/bin/sh
# cpu_time.sh TOLL LIB - the time of a Lua script is its CPU time, held to os.clock, and what it waits for is a value of its own.
# Where CPU time is not cheap to read, --clock cpu reads it by a system call, and the default is wall time, which is said. So it
# is with an order in time, unless a clock or its value is named.
guests=lua
. "$(dirname "$0")/support.sh"
cat >wait.lua <<'S'
local function work(until_s) while os.clock() < until_s do end end
work(0.3)
os.execute("sleep 0.5")
work(0.6)
io.open("clock", "w"):write(string.format("%.0f", os.clock() * 1e9)):close()
S
command -v jq >/dev/null 2>&1 || skip "there is no jq"

# has_value TYPE: is it the value that the profile shows by default?
has_value() { [ "$("$toll" report -q --json toll.pb.gz | jq -r .value)" = "$1" ]; }
# total VALUE [FUNCTION]: that of the profile, or what the function spent itself.
total() {
    "$toll" report -q --rows 0 --json --value "$1" toll.pb.gz |
        jq "if \"${2:-}\" == \"\" then .total else (.functions[] | select(.name == \"${2:-}\") | .self) end"
}
# held WHAT: the time is the script's. It begins after the interpreter has started, and ends after the clock was read.
held() {
    clock=$(cat clock) time=$(total cpu)
    [ "$time" -gt $((clock * 3 / 4)) ] && [ "$time" -lt $((clock + 50000000)) ] || fail "$1: $time ns; os.clock says $clock"
    grep -q "^CPU time: [0-9.]* m*s of [1-9][0-9.]* s$" err || fail "$1: the summary says: $(tail -3 err)"
}

run 0 --clock cpu lua5.4 wait.lua
held "--clock cpu"
export GLIBC_TUNABLES=glibc.pthread.rseq=0
run 0 --clock cpu lua5.4 wait.lua
held "--clock cpu, by system calls"
run 0 lua5.4 wait.lua
has_value time || fail "the default is not wall time where CPU time is dear"
[ "$(total time)" -gt $(($(cat clock) + 400000000)) ] || fail "wall time: $(total time) ns; os.clock says $(cat clock)"
grep -q '^CPU time: .* of .* s; by function only wall time is known: ' err || fail "the summary says: $(tail -3 err)"
rm -f toll.pb.gz
"$toll" run --value waited lua5.4 wait.lua >out 2>err && fail "--value waited is not refused"
grep -q -- '--value waited: what was waited is not known here' err || fail "--value waited: $(cat err)"
[ ! -e toll.pb.gz ] && ! grep -q 'CPU time' err || fail "--value waited is refused late: $(cat err)"
unset GLIBC_TUNABLES

run 0 lua5.4 wait.lua
if has_value time; then
    echo "the default is not tried: CPU time is not cheap to read here"
    finish
fi
held "the default"
[ "$(total waited os.execute)" -gt 400000000 ] || fail "os.execute waited $(total waited os.execute) ns"
[ "$(total waited work)" -lt "$(total waited os.execute)" ] || fail "work, which never waits, waited $(total waited work) ns"
# Long events are in no time: what they take is in a note, and both together are what the thread used.
cat >many.lua <<'S'
local begin = os.clock()
for i = 1, 30000 do load("return function() end", "=chunk" .. i)()() end
io.open("clock", "w"):write(string.format("%.0f", (os.clock() - begin) * 1e9)):close()
S
run 0 -q lua5.4 many.lua
clock=$(cat clock) time=$(total cpu)
apart=$("$toll" report -q --json toll.pb.gz | jq '.notes[] | select(.text == "nanoseconds that the profiler took, about; not in the time") | .count')
[ $((time + apart)) -ge $((clock * 999 / 1000)) ] && [ $((time + apart)) -lt $((clock + 50000000)) ] || fail "$time and $apart ns; os.clock says $clock"
[ "$time" -lt $((clock * 9 / 10)) ] || fail "long events are in the time: $time and $apart ns; os.clock says $clock"
run 0 -q --clock wall lua5.4 wait.lua
has_value time || fail "--clock wall"
run 0 -q --timeline t.trace.json lua5.4 wait.lua
has_value time || fail "--timeline: no wall time"
run 0 -q --value cpu --timeline t.trace.json lua5.4 wait.lua
has_value cpu || fail "--value cpu: no CPU time"
finish
