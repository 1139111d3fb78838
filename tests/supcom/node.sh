#!/bin/sh
# node.sh SCRIPT DIR ARGS - a script of DIR in Node, if setup.sh could install what it needs.
set -eu
script=$1
cd "$2"
shift 2
[ -d node_modules/lua-wasm-bindings ] || { echo "skipped: Lua 5.0 is not installed"; exit 77; }
exec node "$script" "$@"
