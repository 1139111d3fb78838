#!/bin/sh
# run.sh EXAMPLES DIR LIB TOLL - builds the example kernels and some wrong ones in DIR, and has the host in
# LIB run them, without TOLL and with.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
examples=$1
dir=$2
lib=$3
toll=$4
for program in node make clang wasm-ld wat2wasm b2sum; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
cp "$examples"/* "$source"/*.mjs .
make -s
for module in "$source"/*.wat; do
    wat2wasm --debug-names "$module" -o "$(basename "$module" .wat).wasm"
done
run() { # test, arguments...
    test=$1
    shift
    node "$test.mjs" "$lib" "$@" >"$test.log" || { cat "$test.log"; exit 1; }
    echo "$test: $(grep -c '^ok' "$test.log") tests"
}
run store
run hashes
run inbox
run config
run kernels
run wrong
if [ -e "$lib/toll.wasm" ]; then run profile "$toll" "$examples"; run options "$toll" "$examples"; run chosen "$toll" "$examples"; run pvm "$toll" "$examples"; else echo "not profiled: there is no toll.wasm"; fi
