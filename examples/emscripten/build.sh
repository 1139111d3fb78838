#!/bin/sh
# build.sh LIB DIR - builds the page with everything that it needs in the folder DIR. Serve that folder with python3 -m
# http.server -d DIR. LIB: the folder of toll.wasm and toll-heap.mjs (share/toll, build/.../lib).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
lib=$1
dir=$2
mkdir -p "$dir"
cp "$here/index.html" "$lib/toll-heap.mjs" "$lib/toll-heap-file.mjs" "$lib/library.mjs" "$lib/embedder.mjs" "$lib/toll.wasm" "$dir"
emcc "$here/editor.cpp" "$lib/toll-heap.c" -O1 --profiling-funcs -sALLOW_MEMORY_GROWTH -o "$dir/editor.js"
