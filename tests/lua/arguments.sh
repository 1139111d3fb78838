#!/bin/sh
# arguments.sh TOLL LUA MODULES [--update] - what the functions of toll return and raise (arguments.lua), by the layout
# of the interpreter; --update writes arguments.expected anew. Exit 77: no such Lua.
set -u
lua=$2
modules=$3
update=${4:-}
. "$(dirname "$0")/begin.sh"
LUA_CPATH="$modules/$("$lua" -e 'io.write((_VERSION:gsub("Lua ", "")))')/?.so"
export LUA_CPATH
PWD=$work
export PWD
{
    "$lua" "$here/arguments.lua"
    for labels in "a=b" "a" "=b" "a=b,a=c"; do
        echo "TOLL_LABELS=$labels:"
        TOLL_LABELS=$labels "$lua" -e 'toll = require "toll"
            print(select(2, pcall(toll.start, { clock = "none" })))
            if toll.running() then toll.stop() print(toll.write "labels.folded") end'
    done
} >found 2>&1
sed -i "s|$work/||g" found
if [ "$update" = --update ]; then
    cp found "$here/arguments.expected"
else
    diff "$here/arguments.expected" found
fi
