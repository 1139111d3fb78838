#!/bin/sh
# build.sh - compiles checksum.c; CHANGE simulates an edit.
clang --target=wasm32 -O2 -nostdlib ${CHANGE:+-DCHANGE} -c checksum.c -o checksum.o &&
    wasm-ld --no-entry --export=sum --export=room checksum.o -o checksum.wasm
