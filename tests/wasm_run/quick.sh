#!/bin/sh
# quick.sh TEST TOLL LIB - runs a test that compiles no program of C: TEST.mjs, with TOLL and LIB.
set -eu
for program in node wat2wasm; do
    command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
[ -f "$3/toll.wasm" ] || { echo "skipped: no toll.wasm in this build"; exit 77; }
exec node "$(dirname "$0")/$1.mjs" "$2" "$3"
