#!/bin/sh
# run.sh BUILD - the cost of profiling for a guest of wasmtime in Python (bench/python/overhead.py).
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
for tool in clang clang++ node wasm-ld python3; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 0; }
done
[ -e "$build/lib/python/toll/toll.wasm" ] || { echo "skipped: there is no toll.wasm"; exit 0; }
build=$(cd "$build" && pwd)
status=0
sh "$here/../../tests/python/environment.sh" "$build/python" "$build/lib" || status=$?
[ $status != 77 ] || exit 0
[ $status = 0 ] || exit $status
mkdir -p "$build/bench_python"
cd "$build/bench_python"
sh "$here/../wasm/calls_and_work.sh" .
clang --target=wasm32 -O2 -mbulk-memory -nostdlib -Wl,--no-entry "$here/../wasm/work.c" -o work.wasm
[ -e "$build/debug-34-1/stripped.wasm" ] || sh "$here/../debug/units.sh" "$build/debug-34-1" 34 1 # 4 MB
"$build/python/venv/bin/python" "$here/overhead.py" fib.wasm programs.wasm work.wasm ../debug-34-1/units.wasm ../debug-34-1/stripped.wasm
echo "load: $(cat /proc/loadavg)"
