#!/bin/sh
# run.sh BUILD - what profiling costs a guest of wasmtime in Python (bench/python/overhead.py).
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
for tool in clang python3; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 0; }
done
[ -e "$build/lib/python/toll/toll.wasm" ] || { echo "skipped: there is no toll.wasm"; exit 0; }
build=$(cd "$build" && pwd)
sh "$here/../../tests/python/environment.sh" "$build/python" "$build/lib" || exit 0
clang --target=wasm32 -O1 -nostdlib -Wl,--no-entry "$here/../wasm/fib.c" -o "$build/fib.wasm"
clang --target=wasm32 -O2 -mbulk-memory -nostdlib -Wl,--no-entry "$here/../wasm/work.c" -o "$build/work.wasm"
"$build/python/venv/bin/python" "$here/overhead.py" "$build/fib.wasm" "$build/work.wasm"
