#!/bin/sh
# run.sh BUILD - the benches of toll.wasm in Node, over modules that are compiled here.
set -eu
build=$1
here=$(dirname "$0")
for tool in clang node; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 0; }
done
[ -e "$build/lib/toll.wasm" ] || { echo "skipped: there is no toll.wasm"; exit 0; }
clang --target=wasm32 -O1 -nostdlib -Wl,--no-entry "$here/fib.c" -o "$build/fib.wasm"
clang --target=wasm32 -O2 -mbulk-memory -nostdlib -Wl,--no-entry "$here/work.c" -o "$build/work.wasm"
node "$here/events.mjs" "$build/lib" "$build/fib.wasm"
node "$here/ticks.mjs" "$build/lib" "$build/work.wasm"
sqlite=$build/instrument/node_modules/sql.js # of the test instrument/setup
if [ -d "$sqlite" ]; then
    node "$here/sqlite.mjs" "$build/lib" "$sqlite"
else
    echo "skipped: SQLite: there is no sql.js; the test instrument/setup fetches it"
fi
if [ -e /usr/lib/wasm32-wasi/libc.a ]; then
    clang --target=wasm32-wasi --sysroot=/usr -O2 -c "$here/mixed.c" -o "$build/mixed.o"
    clang --target=wasm32-wasi --sysroot=/usr "$build/mixed.o" -o "$build/mixed.wasm" # -O would strip names
    rounds=300
    [ -z "${BENCH_ROUNDS:-}" ] || rounds=20 # it only has to run
    node "$here/shares.mjs" "$build/bin/toll" "$build/mixed.wasm" $rounds
else
    echo "skipped: time: there is no libc for wasm32-wasi"
fi
if command -v python3 >/dev/null 2>&1; then
    python3 "$here/startup.py" "$build/bin/toll"
else
    echo "skipped: start-up: there is no python3"
fi
