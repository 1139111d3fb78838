#!/bin/sh
# attach_one.sh TOLL LIB - toll attach samples a process of Lua 5.1 and 5.4 and lists it; what cannot be sampled is refused. attach.sh has
# more.
. "$(dirname "$0")/attach_program.sh"
cat >long.lua <<'S'
local function leaf(n)
    local x = 0
    for i = 1, n do x = x + i % 7 end
    return x
end
local M = {}
M.work	= function(n) leaf(n) local x = 0 for i = 1, n do x = x + i % 7 end return x end
local text = (loadstring or load)("local f = ...\nreturn function(n) f(n) local x = 0 for i = 1, n do x = x + i % 7 end return x end")(M.work)
while true do
    text(100000)
    local f = io.open("turns", "w")
    f:write("1\n")
    f:close()
end
S

# Names come from the line of the definition; what a chunk of text defines has none.
for lua in lua5.1 lua5.4; do
    command -v $lua >/dev/null 2>&1 || continue
    begin $lua long.lua
    "$toll" attach --seconds 1 --hz 500 -o at.pb.gz "$pid" 2>at.out || fail "$lua: status $?: $(cat at.out)"
    grep -q "^toll: sampling $pid for 1 s" at.out && grep -q '^toll: at.pb.gz$' at.out && grep -q ' leaf  *long.lua:1$' at.out ||
        fail "$lua: it says: $(cat at.out)"
    if [ $lua = lua5.4 ]; then
        "$toll" attach -q --seconds 1 -o quiet.pb.gz "$pid" 2>at.out && [ ! -s at.out ] || fail "-q: $(cat at.out)"
    fi
    "$toll" report -q --rows 0 --json at.pb.gz >at.json
    for function in 'leaf long.lua 1' 'M.work long.lua 7'; do
        jq -e --arg of "$function" '.functions[] | select(.self > 0 and "\(.name) \(.file) \(.line)" == $of)' at.json >/dev/null ||
            fail "$lua: $function has no samples: $(cat at.json)"
    done
    jq -e '.functions[] | select(.self > 0 and .line == 2 and (.file | startswith("[string")))' at.json >/dev/null ||
        fail "$lua: the chunk of text has no samples: $(cat at.json)"
    "$toll" attach --list >out
    grep -q "^ *$pid  *$lua  *Lua ${lua#lua} .* 1 state$" out || fail "$lua: the list says: $(cat out)"
    end
done

# A process that has Toll's library has no Lua by that.
! LC_ALL=C grep -aqE '[$]Lua(Version)?: Lua 5|LuaJIT 2[.]' "$toll" || fail "the command itself looks like a Lua"

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
