#!/bin/sh
# fib.sh BUILD - bench/lua/fib.c with each Lua whose headers are installed.
set -eu
build=$1
here=$(dirname "$0")
for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
    pkg-config --exists $lua 2>/dev/null || continue
    version=${lua#lua}
    [ $lua = luajit ] && version=5.1
    # shellcheck disable=SC2046 # the flags are words
    cc -O2 -D_POSIX_C_SOURCE=200809L "$here/fib.c" -o "$build/fib-$lua" $(pkg-config --cflags --libs $lua) -Wl,-E -lm -ldl
    printf '%s: ' "$lua"
    "$build/fib-$lua" "$build/lib/lua/$version/toll.so"
done
