#!/bin/sh
# units.sh DIR UNITS STATEMENTS - makes DIR/units.wasm, of so many units of C++ with debug information, DIR/stripped.wasm, the
# same without, and DIR/large.wasm, with one function of so many statements. Each unit has 0.12 MB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
node "$here/sources.mjs" "$1" "$2" "$3"
cd "$1"
options="--target=wasm32 -nostdlib -fno-exceptions -g -O1 -c"
# shellcheck disable=SC2086 # options are words
seq 0 $(($2 - 1)) | xargs -P 2 -I N clang++ $options unitN.cpp -o unitN.o
wasm-ld --no-entry --export-all unit*.o -o units.wasm
wasm-ld --no-entry --export-all --strip-debug unit*.o -o stripped.wasm
# shellcheck disable=SC2086
clang $options large.c -o large.o
wasm-ld --no-entry --export-all large.o -o large.wasm
