#!/bin/sh
# build.sh SOURCE - compiles the programs in SOURCE into built/, by what compilers there are.
set -eu
source=$1
mkdir -p built
has() { command -v "$1" >/dev/null 2>&1; }
made() { [ -e "built/$1" ] && [ "built/$1" -nt "$source/$2" ]; } # file, of program

wasi() { # name, options...
    name=$1
    shift
    made "$name.wasm" picture.c || clang --target=wasm32-wasi --sysroot=/usr -isystem /usr/include/stb -w "$@" \
        "$source/picture.c" -o "built/$name.wasm"
}
if has clang && has wasm-ld && [ -e /usr/lib/wasm32-wasi/crt1-command.o ] && [ -e /usr/include/stb/stb_image.h ]; then
    wasi picture-O0 -O0
    wasi picture-O2 -O2
    wasi picture-simd -O3 -msimd128 -mtail-call -mbulk-memory -msign-ext
else
    echo "no programs by clang: clang, lld, wasi-libc, libclang-rt-14-dev-wasm32 and libstb-dev bring them"
fi

emscripten() { # name, options...
    name=$1
    shift
    # Its optimiser of JavaScript needs acorn, which Debian leaves to another package.
    made "$name.js" json.cpp || NODE_PATH=$PWD/node_modules emcc "$source/json.cpp" --profiling-funcs -sMODULARIZE=1 \
        -sEXIT_RUNTIME=0 -sENVIRONMENT=node,worker -sEXPORTED_RUNTIME_METHODS=ccall -sEXPORT_NAME=json "$@" -o "built/$name.js"
}
if has emcc; then
    emscripten json-js-O0 -O0 -fexceptions
    emscripten json-js-O3 -O3 -fexceptions
    emscripten json-wasm-O3 -O3 -fwasm-exceptions
    emscripten json-asyncify -O2 -fexceptions -sASYNCIFY -DSLEEP
    emscripten json-threads -O2 -fexceptions -pthread -sPTHREAD_POOL_SIZE=2 -DTHREADS
else
    echo "no programs by Emscripten: there is no emcc"
fi
