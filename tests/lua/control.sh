#!/bin/sh
# control.sh TOLL LUA MODULES HOST MODULE - recordings from one signal to the next: of a script (control.lua), and of a program with
# many states (control.c). Exit 77: no such Lua.
set -u
. "$(dirname "$0")/control_begin.sh"

# expect FILE FUNCTION=CALLS...
expect() {
    file=$1
    shift
    [ -e "$file" ] || { fail "there is no $file: $(ls)"; return; }
    for each in "$@"; do
        [ "$(calls "${each%=*}" "$file")" = "${each#*=}" ] || fail "$file: $each is not so: $("$toll" report -q --tree --value calls "$file")"
    done
}

LUA_CPATH="$modules/$version/?.so" timeout 60 "$lua" "$here/control.lua" 2>err || fail "control.lua: status $?: $(cat err)"
script=$(sed -n 's/^toll: the recording of process \([0-9]*\) has ended$/\1/p' err | head -1)
expect c-"$script".pb.gz work=1 leaf=10
expect c-"$script"-2.pb.gz work=3 leaf=35
[ "$(calls work kept-"$script".pb.gz)" = 1 ] || fail "kept: $(ls)"
expect so-far.pb.gz work=2 leaf=15
expect so-far-"$script".pb.gz work=4 leaf=25
half=$("$toll" report -q --json samples.pb.gz | jq .total) whole=$("$toll" report -q --json samples-"$script".pb.gz | jq .total)
[ "$half" -gt 0 ] && [ "$half" -lt "$whole" ] || fail "$half ns so far, $whole ns in the end"
[ "$(grep -c "^toll: the recording of process $script so far is written$" err)" = 2 ] || fail "it says: $(cat err)"
set -- within-*
[ "$1" = "within-*" ] || fail "a recording began within another one: $*"
expect left.pb.gz work=1 leaf=5
"$toll" report -q --json sampled-left.pb.gz | jq -e '.notes == []' >/dev/null ||
    fail "an older hook in a recording of samples: $("$toll" report -q sampled-left.pb.gz)"
"$toll" report -q s-"$script".pb.gz | grep -q 'work' || fail "no samples of work: $("$toll" report -q s-"$script".pb.gz)"

LUA_CPATH=$module timeout 100 "$host" 2>err || fail "the program: status $?: $(tail -5 err)"
grep -vE '^toll: the recording of process [0-9]* (has ended|so far is written)$' err && fail "the program prints that"
program=$(ls thread-*-2.pb.gz)
program=${program#thread-} program=${program%-2.pb.gz}
for state in "" -2 -3; do
    expect thread-"$program$state".pb.gz before=0 during=100 after=0
done
expect coroutine-"$program".pb.gz before=0 during=2 after=0
expect closed-"$program".pb.gz during=1
expect fork-"$program".pb.gz before=1 after=0
rm -f fork-"$program".pb.gz
set -- fork-*.pb.gz # the numbers of a forked process begin anew
[ $# = 1 ] && [ -e "$1" ] || fail "the forked process leaves $*"
case ${1#fork-} in *-*) fail "the forked process leaves $1" ;; esac
expect "$1" during=1 before=0 after=0
set -- often-*.pb.gz
[ $# -gt 5 ] || fail "of 400 signals and more there are only $* left"
"$toll" check ./*.pb.gz >checked 2>&1 || fail "a file is broken: $(cat checked)"
set -- never-*
[ "$1" = "never-*" ] || fail "there are $*"
exit $failed
