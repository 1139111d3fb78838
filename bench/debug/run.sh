#!/bin/sh
# run.sh BUILD [UNITS [STATEMENTS]] - the benches of debug information: a module of so many units of C++, and one with a function
# of so many statements, both compiled here. The figures of docs/performance.md are of 420 units (49 MB) and 12,000 statements.
set -eu
build=$1
units=${2:-4}
statements=${3:-500}
here=$(cd "$(dirname "$0")" && pwd)
for tool in clang++ wasm-ld node; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 0; }
done
dir=$build/debug-$units-$statements
sh "$here/units.sh" "$dir" "$units" "$statements"
"$build/bench/bench_debug" "$dir/units.wasm"
"$build/bench/bench_debug" "$dir/large.wasm"
