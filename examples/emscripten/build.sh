#!/bin/sh
# build.sh LIB DIR - the page with all that it needs in folder DIR: serve that, with
# python3 -m http.server -d DIR. LIB: where toll.wasm and toll-heap.mjs are (share/toll, build/.../lib).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
lib=$1
dir=$2
mkdir -p "$dir"
cp "$here/index.html" "$lib/toll-heap.mjs" "$lib/library.mjs" "$lib/embedder.mjs" "$lib/toll.wasm" "$dir"
emcc "$here/editor.cpp" -O1 --memoryprofiler --profiling-funcs --pre-js "$lib/toll-heap-pre.js" \
    -sALLOW_MEMORY_GROWTH -o "$dir/editor.js"
