#!/bin/sh
# run.sh EXAMPLES DIR LIB - builds the example kernels and some wrong ones in DIR, and has the host in LIB
# run them.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
examples=$1
dir=$2
lib=$3
for program in node make clang wasm-ld wat2wasm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
cp "$examples"/* "$source"/*.mjs .
make -s
for module in "$source"/*.wat; do
    wat2wasm "$module" -o "$(basename "$module" .wat).wasm"
done
for test in store inbox kernels wrong; do
    node $test.mjs "$lib" >$test.log || { cat $test.log; exit 1; }
    echo "$test: $(grep -c '^ok' $test.log) tests"
done
