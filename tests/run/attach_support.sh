# attach_support.sh - for attach_exact.sh, attach_exact_whose.sh and attach_inside.sh: a service in Lua, which is recorded.
guests=lua
. "$(dirname "$0")/support.sh"
fail() { echo "FAILED: $*"; kill "$pid" 2>/dev/null; exit 1; }
pid= tried=
command -v jq >/dev/null 2>&1 || skip "there is no jq"
[ "$(uname -m)" = x86_64 ] || skip "that is done on x86-64 alone"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] || [ "$(id -u)" = 0 ] || skip "no process may be traced here"
# A service: for each line of its input 177 calls of fib, and a line of output with the sum of all so far.
cat >service.lua <<'S'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local co = coroutine.wrap(function() local sum = 0 while true do sum = sum + fib(10) coroutine.yield(sum) end end)
io.stdout:setvbuf("no")
for line in io.lines() do print(co()) end
print("end")
S
calls() { "$toll" report -q --rows 0 --json --value calls "$2" | jq "[.functions[] | select(.name == \"$1\") | .calls] | add // 0"; }
# ask COUNT: so many lines to the service, one after the other; its sum is right.
ask() {
    n=0
    while [ $n -lt "$1" ]; do
        echo line >&3
        read -r sum <&4
        asked=$((asked + 1)) n=$((n + 1))
        [ "$sum" = $((asked * 55)) ] || fail "$lua: the answer is '$sum' after $asked questions"
    done
}
# record COUNT SECONDS: records while so many questions are asked; has it all of them?
record() {
    begin_recording "$2"
    ask "$1"
    wait $attach || fail "$lua: $(cat at.out)"
    [ "$(calls fib at.pb.gz)" = $(($1 * 177)) ] || fail "$lua: not $1 * 177 calls of fib: $(cat at.out)"
}
# begin_service COMMAND...: the service, and what it is run by, if anything; $pid is its process.
begin_service() {
    asked=0
    rm -f in out
    mkfifo in out
    "$@" $lua service.lua <in >out 2>service.err &
    pid=$!
    exec 3>in 4<out
    ask 1
    while inside=$(pgrep -P "$pid"); do pid=$inside; done
}
end_service() {
    exec 3>&- 4<&-
    wait
}
# begin_recording SECONDS
begin_recording() {
    rm -f at.out # of the one before, which is read below
    "$toll" attach --exact --seconds "$1" -o at.pb.gz "$pid" >at.out 2>&1 &
    attach=$!
    until grep -qs recording at.out || ! kill -0 $attach 2>/dev/null; do sleep 0.05; done
}
# A program that is never idle.
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
end_busy() {
    kill "$pid"
    wait "$pid" 2>/dev/null
}
