#!/bin/sh
# calls_and_work.sh DIR - the two guests whose cost in several engines is compared in docs/performance.md: DIR/fib.wasm, only
# calls, and DIR/programs.wasm, with few calls.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
for program in "$here/fib" "$here/../../tests/wasm_engine/programs"; do
    name=$(basename "$program")
    # In two steps: when clang links with -O, it runs wasm-opt, if there is one, which removes the names.
    clang --target=wasm32 -O2 -mbulk-memory -c "$program.c" -o "$name.o"
    wasm-ld --no-entry --export-dynamic "$name.o" -o "$name.wasm"
done
