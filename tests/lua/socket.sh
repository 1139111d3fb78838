#!/bin/sh
# socket.sh TOLL LUA MODULES HOST MODULE - recordings by `toll control` and the socket of toll.control: of a script (socket.lua), and
# of a program with threads and a forked process (socket.c). Exit 77: no such Lua.
set -u
. "$(dirname "$0")/control_begin.sh"
export LUA_CPATH="$modules/$version/?.so"

# expect STATUS TEXT ARGUMENTS...: toll control prints lines that grep -E finds TEXT in, each of them, and nothing else.
expect() {
    status=$1 text=$2
    shift 2
    "$toll" control "$@" >out 2>&1
    is=$?
    [ $is = "$status" ] || fail "toll control $*: status $is: $(cat out)"
    { [ -s out ] && ! grep -qvE "$text" out; } || fail "toll control $*: $(cat out)"
}

# --- a script that waits: what is wanted is done when it runs Lua
# do_work LINE: the script does it, and waits for the next line: from then on a command finds it outside Lua. It has answered
# before that, so its state is what shows it.
do_work() {
    echo "$1" >&3
    read -r did <&4
    [ "$did" = "did $1" ] || fail "the script: $did"
    until_waits
}
until_waits() { until grep -q '^State:.S' "/proc/$pid/status"; do kill -0 "$pid" || break; done; }
mkfifo in answers
"$lua" "$here/socket.lua" <in >answers 2>err &
script=$!
exec 3>in 4<answers
read -r pid <&4 || fail "the script: $(cat err)"
until_waits
[ "$(stat -c %a socket-"$pid")" = 600 ] || fail "others may connect: $(ls -l socket-"$pid")"
expect 0 "^process $pid: state 1: not recording$" status socket-"$pid"
expect 0 "^process $pid: state 1: not recording; will begin when the program next runs Lua$" on socket-"$pid"
do_work 5
expect 0 "^process $pid: state 1: recording, [0-9.]+ s so far$" status socket-"$pid"
do_work 6
expect 0 "^process $pid: state 1: recording, .*; will write what it has when the program next runs Lua$" snapshot socket-"$pid"
do_work 7
expect 0 "^process $pid: state 1: recording, .* s so far; written: $work/out-$pid.pb.gz$" status socket-"$pid"
do_work 8
expect 0 "^process $pid: state 1: recording, .*; will end when the program next runs Lua; written: " off socket-"$pid"
do_work 9
expect 0 "^process $pid: state 1: not recording; written: $work/out-$pid.pb.gz$" status socket-"$pid"
# As with signals, in PUC Lua the coroutine that runs is asked at its next instruction; what was open is no call.
[ "$(calls leaf out-"$pid".pb.gz)" -ge 21 ] || fail "leaf: $(calls leaf out-"$pid".pb.gz)"
expect 0 'will begin' on socket-"$pid"
expect 0 "not recording; written: $work/out-$pid.pb.gz$" off socket-"$pid"
do_work 3
[ -e out-"$pid"-2.pb.gz ] && fail "a recording that was taken back was written"
expect 1 "^toll: control: process $pid: state 1: not recording; written: .*; nothing is recorded$" snapshot socket-"$pid"
do_work 1 # it takes the command, which does nothing
# The script begins and ends recordings itself.
expect 0 'will begin' on socket-"$pid"
sleep 2
do_work 1
do_work own
expect 0 "^process $pid: state 1: recording, [01]\.[0-9]+ s so far$" status socket-"$pid"
do_work end
expect 0 "^process $pid: state 1: not recording; written: $work/own.pb.gz$" status socket-"$pid"

# Clients that say nothing, too much, or go.
python3 - "$pid" <<'END' || fail "odd clients"
import socket, sys, time
def client(text):
    s = socket.socket(socket.AF_UNIX)
    s.connect("socket-" + sys.argv[1])
    if text is not None:
        s.sendall(text)
    return s
def answer(s):
    s.settimeout(30)
    text = b""
    while True:
        part = s.recv(4096)
        if not part:
            return text.decode()
        text += part
gone = client(b"status\n")
gone.close()
silent = client(None)
for text, part in ((b"status\n", "not recording"), (b"status\r\n", "not recording"), (b"x" * 5000, "is no command"),
                   (b"\n", "is no command"), (b"on off\n", "'on off' is no command"), (b"STATUS\n", "is no command")):
    s = client(None)
    try:
        s.sendall(text)
        got = answer(s)
    except (ConnectionResetError, BrokenPipeError):
        got = part if len(text) > 1000 else "reset"
    assert part in got, (text, got)
s = client(b"status")
s.shutdown(socket.SHUT_WR)
assert "not recording" in answer(s)
END

# What fails is said, and the exit status shows it.
mkdir gone
exec 3>&- 4<&-
wait $script || fail "the script: $(cat err)"
[ -e socket-"$pid" ] && fail "the socket stays after the end"
grep -vE "^toll: the recording of process $pid (has ended|so far is written)$" err && fail "the script prints that"
"$lua" "$here/socket.lua" 'gone/out-%p.pb.gz' <in >answers 2>err &
script=$!
exec 3>in 4<answers
read -r pid <&4
until_waits
rmdir gone
"$toll" control on socket-"$pid" >/dev/null
do_work 1
expect 1 "^toll: control: process $pid: state 1: not recording; toll.start: output: .*cannot write to its folder" status socket-"$pid"
mkdir gone
"$toll" control on socket-"$pid" >/dev/null
do_work 1
expect 0 "^process $pid: state 1: recording" status socket-"$pid"
kill -9 $script
wait $script 2>/dev/null # all of its threads have ended
expect 1 'no process answers there any more: remove it$' status socket-"$pid"
expect 1 'No such file or directory$' status no-socket
expect 2 'which command' 
expect 2 "'odd' is no command" odd socket-"$pid"
expect 2 'which sockets' on
expect 1 'File name too long$' on "$(printf '%0200d' 0)"
exec 3>&- 4<&-
mkdir 'of%p%x%%%%'
(cd 'of%p%x%%%%' && "$lua" "$here/socket_path.lua" "$PWD") 2>err || fail "paths: $(cat err)"

# --- a program: all states of all processes at once
export LUA_CPATH="$module"
rm -f socket-* out-*
"$host" 'socket-%p' 'out-%p.pb.gz' forks 2>err &
program=$!
until [ "$(ls | grep -c '^ready-')" = 2 ]; do kill -0 $program || break; sleep 0.05; done
set -- socket-*
[ $# = 2 ] || fail "sockets: $*: $(cat err)"
child=$1
[ "$1" = socket-$program ] && child=$2
child=${child#socket-}
expect 0 '^process [0-9]+: state [1-3]: not recording$' status "$@"
[ "$(wc -l <out)" = 4 ] || fail "states: $(cat out)"
expect 0 '^process [0-9]+: state [1-3]: recording, [0-9.]+ s so far$' on "$@"
expect 0 '^process [0-9]+: state [1-3]: recording, [0-9.]+ s so far; written: .*/out-[0-9]+(-[123])?.pb.gz$' snapshot "$@"
"$toll" check -q out-*.pb.gz >/dev/null || fail "a snapshot is broken"
expect 0 '^process [0-9]+: state [1-3]: not recording; written: .*/out-[0-9]+(-[123])?.pb.gz$' off "$@"
expect 0 'recording, ' on socket-"$child"
expect 0 "^process $child: state 1: not recording; written: $work/out-$child-2.pb.gz$" off socket-"$child"
set -- out-*.pb.gz
[ $# = 5 ] || fail "files: $*"
for file; do
    work_calls=$(calls work "$file") leaf_calls=$(calls leaf "$file")
    # The first call may have been open at the beginning, and the last at the end.
    [ "$work_calls" -gt 0 ] && [ $((leaf_calls - 7 * work_calls)) -le 14 ] && [ $((7 * work_calls - leaf_calls)) -le 14 ] ||
        fail "$file: $work_calls of work, $leaf_calls of leaf"
done
# A process that is killed leaves its socket: that is said, and the others do what is wanted.
kill -9 "$child"
until "$toll" control status socket-"$child" 2>&1 | grep -q 'no process answers there'; do sleep 0.05; done # its threads end one by one
expect 0 "^process $program: state [123]: not recording|^toll: control: socket-$child: no process answers there any more: remove it$" status socket-*
[ "$(wc -l <out)" = 4 ] || fail "states: $(cat out)"
rm socket-"$child"
: >stop
wait $program
set -- socket-*
[ "$1" = 'socket-*' ] || fail "after the end: $*"

# A program that closes files of others: its own are left alone.
rm -f stop ready-*
"$host" 'socket-%p' 'out-%p.pb.gz' closed >clients 2>err &
program=$!
until [ -e ready-$program ]; do kill -0 $program || break; sleep 0.05; done
# Toll's thread may wait at the socket since before; then it answers once. It removes the file when it notices.
tries=0
while [ -e socket-$program ] && [ $((tries += 1)) -le 100 ]; do
    "$toll" control status socket-$program >/dev/null 2>&1
    sleep 0.05
done
expect 1 'No such file or directory$' status socket-$program
: >stop
wait $program
[ "$(cat clients)" = 8 ] || fail "of 8 own sockets of the program $(cat clients) had their client"

# A program that sets all signals back: it is not killed by the one that Toll would send.
rm -f stop ready-*
"$host" 'socket-%p' 'out-%p.pb.gz' reset 2>err &
program=$!
until [ -e ready-$program ]; do kill -0 $program || break; sleep 0.05; done
"$toll" control on socket-$program >out 2>&1 || fail "reset: $(cat out)"
expect 0 'recording, ' status socket-$program
: >stop
wait $program || fail "a program that sets its signals back: status $?: $(cat err)"

# A program whose main thread ends, as the only one: the process ends, too.
timeout 20 "$host" 'socket-%p' 'out-%p.pb.gz' leaves 2>err || fail "a main thread that ends: status $?: $(cat err)"
exit $failed
