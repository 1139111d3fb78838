#!/bin/sh
# attach_one.sh TOLL LIB - toll attach samples a process of Lua 5.4 and lists it; what cannot be sampled is refused. attach.sh has
# more.
. "$(dirname "$0")/attach_program.sh"
cat >long.lua <<'S'
local function leaf(n)
    local x = 0
    for i = 1, n do x = x + i % 7 end
    return x
end
while true do
    leaf(100000)
    local f = io.open("turns", "w")
    f:write("1\n")
    f:close()
end
S

begin lua5.4 long.lua
"$toll" attach -q --seconds 1 --hz 500 -o at.pb.gz "$pid" || fail "status $?"
"$toll" report -q --json at.pb.gz | jq -e '.functions[] | select(.name == "leaf" and .file == "long.lua" and .self > 0)' >/dev/null ||
    fail "leaf has no samples: $("$toll" report -q --json at.pb.gz)"
"$toll" attach --list >out
grep -q "^ *$pid  *lua5.4  *Lua 5.4 .* 1 state$" out || fail "the list says: $(cat out)"
end

refused() { # status, text, arguments
    wanted=$1 text=$2
    shift 2
    "$toll" attach -o no.pb.gz "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] && grep -q -- "$text" err || fail "attach $*: status $status: $(cat err)"
    [ ! -e no.pb.gz ] || fail "attach $*: a file is there"
}
refused 2 "which process"
refused 2 "'12x' is no process's number" 12x
refused 2 "'-1' is no process's number" -- -1
refused 2 "is no process's number" 99999999999999999999
refused 2 "hz is a number from 1 to 10000" --hz 0 1
refused 2 "hz is a number from 1 to 10000" --hz 10001 1
refused 2 "seconds is a number from 1 up" --seconds 0 1
refused 2 "list takes no process" --list 1
refused 1 "there is no such process" "$pid"
sleep 60 &
refused 1 "there is no Lua in it" $!
kill $!
if command -v luajit >/dev/null 2>&1; then
    begin luajit long.lua
    refused 1 "--inside takes samples of LuaJIT" "$pid"
    end
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null 2>&1; then
    begin lua5.4 long.lua
    setpriv --reuid=65534 --clear-groups --inh-caps=-all "$toll" attach -q -o - --to folded "$pid" >out 2>err && fail "another user's process is sampled"
    grep -q "its memory may not be read" err || fail "another user's process: $(cat err)"
    end
else
    echo "not tried: another user's process, since this is not root"
fi
finish
