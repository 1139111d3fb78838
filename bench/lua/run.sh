#!/bin/sh
# run.sh BUILD [PROGRAM...] - bench/lua/hooks.c with each Lua whose headers are installed, over the programs here.
set -eu
build=$1
here=$(dirname "$0")
shift
[ $# -gt 0 ] || set -- fib json nqueens strings coroutines switches
export LUA_PATH="$here/../../examples/json_bench/?.lua;;"
for program; do
    for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
        pkg-config --exists $lua 2>/dev/null || continue
        version=${lua#lua}
        [ $lua = luajit ] && version=5.1
        # shellcheck disable=SC2046 # the flags are words
        cc -O2 -D_POSIX_C_SOURCE=200809L "$here/hooks.c" -o "$build/hooks-$lua" \
            $(pkg-config --cflags --libs $lua) -Wl,-E -lm -ldl
        printf '%-10s %-6s ' "$program" "$lua"
        "$build/hooks-$lua" "$build/lib/lua/$version/toll.so" "$here/$program.lua"
    done
done
