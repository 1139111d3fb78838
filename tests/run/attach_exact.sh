#!/bin/sh
# attach_exact.sh TOLL LIB - toll attach --exact records every call of a process that runs already, in each Lua, and no other:
# the figures are equal to the calls that were asked for. The process lives on, also if toll is killed at any moment; what it
# had open is as before. attach_exact_one.sh has what is refused.
. "$(dirname "$0")/attach_support.sh"
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

[ -z "$(ls at.pb.gz.* 2>/dev/null)" ] || fail "a half-written file"
echo "attach_exact:$tried: every call, and the process lives on"
