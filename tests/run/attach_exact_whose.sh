#!/bin/sh
# attach_exact_whose.sh TOLL LIB - toll attach --exact, whoever ends first: the process before its time, toll by SIGKILL; and
# whose process it is: another user's, in a container, a forked one. Every call is there, and no other.
. "$(dirname "$0")/attach_support.sh"
for lua in lua5.4 luajit; do
    command -v $lua >/dev/null 2>&1 || continue
    # It ends before its time: nothing is lost.
    begin_service env
    begin_recording 20
    ask 7
    end_service
    [ "$(calls fib at.pb.gz)" = $((7 * 177)) ] || fail "$lua: it ends before its time: $(cat at.out)"
    # toll is killed: the process writes the file.
    begin_service env
    begin_recording 1
    kill -9 $attach
    wait $attach 2>/dev/null
    ask 9
    sleep 3.5
    ask 1
    file=$(echo /tmp/toll-attach-*/"$pid"-1.pb.gz)
    [ "$(calls fib "$file")" = $((9 * 177)) ] || fail "$lua: toll was killed: $file"
    rm -r "$(dirname "$file")"
    record 2 2
    end_service
    # Another user's process, and one that sees other files.
    [ "$(id -u)" = 0 ] || { echo "not tried: processes of others, which only root may trace"; continue; }
    for by in "setpriv --reuid=65534 --regid=65534 --clear-groups" "unshare --mount --pid --fork --mount-proc" \
        "setpriv --reuid=65534 --regid=65534 --clear-groups unshare --map-root-user --mount --pid --fork --mount-proc"; do
        $by true 2>/dev/null || { echo "not tried: $by"; continue; }
        chmod 755 . && chmod 644 service.lua
        begin_service $by
        record 20 4
        record 5 4
        end_service
    done
done
# A forked process is not part of it.
lua=luajit
if command -v luajit >/dev/null 2>&1; then
    sed -i '1i local ffi = require "ffi" ffi.cdef "int fork(void);"
/^for line/s/do/do if line == "fork" and ffi.C.fork() == 0 then for i = 1, 1000 do co() end os.exit(0) end if line == "fork" then line = io.read() end/' service.lua
    begin_service env
    begin_recording 4
    ask 2
    echo fork >&3
    ask 3
    wait $attach || fail "a fork: $(cat at.out)"
    [ "$(calls fib at.pb.gz)" = $((5 * 177)) ] || fail "a fork: $(calls fib at.pb.gz) calls"
    end_service
fi
echo "attach_exact_whose: every call"
