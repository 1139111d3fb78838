#!/bin/sh
# wasm.sh TOLL SOURCE DIR LIB - a WASI program and a kernel with reboots, profiled by toll run, opened in
# speedscope: the functions and figures that toll report prints.
set -eu
toll=$1
source=$2
lib=$4
for program in node chromium clang wasm-ld make; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ -e "$lib/toll.wasm" ] || { echo "skipped: toll.wasm was not built"; exit 77; }
cd "$3"
clang --target=wasm32-wasi --sysroot=/usr -O1 -c "$source/tests/wasm_run/app.c" -o app.o
clang --target=wasm32-wasi --sysroot=/usr app.o -o app.wasm
"$toll" run -q -o program.pb.gz app.wasm fib 15 >/dev/null
"$toll" run -q --flamechart -o program.speedscope.json app.wasm fib 10 >/dev/null
rm -rf kernels
cp -r "$source/examples/kernels" kernels
make -s -C kernels slices.wasm
echo '[[{"external":"e8030000"}],[{"external":"01000000"},{"external":"20030000"}]]' >slices.json
"$toll" run -q --kernel --inbox slices.json -o kernel.pb.gz kernels/slices.wasm >/dev/null
"$toll" run -q --kernel --inbox slices.json --flamechart -o kernel.speedscope.json kernels/slices.wasm >/dev/null
exec node speedscope.mjs "$toll" program.pb.gz program.speedscope.json kernel.pb.gz kernel.level-1.pb.gz \
    kernel.speedscope.json
