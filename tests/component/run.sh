#!/bin/sh
# run.sh TOLL DIR PROGRAMS LIB [all] - linked modules, such as a component has, do what they do alone (linked.mjs). Then installs jco
# into DIR, makes components there, of a module in PROGRAMS (tests/wasm_run) and of text (make.mjs), and holds toll run to them
# (run.mjs), by a few tests, or all, most of which load jco many times; components that record themselves to it (inside.mjs); and a
# server to what is asked of it (serve.mjs).
set -eu
toll=$1
dir=$2
programs=$3
lib=$4
source=$(cd "$(dirname "$0")" && pwd)
for program in node npm wat2wasm clang wasm-ld; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ -f "$programs/app.wasm" ] || { echo "skipped: wasm/setup has compiled no program"; exit 77; }
mkdir -p "$dir"
wat2wasm --debug-names "$source/globals.wat" -o "$dir/globals.wasm"
(cd "$dir" && node --no-warnings "$source/linked.mjs" "$lib" globals.wasm "$programs"/*.wasm)
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] ||
    { echo "skipped: jco needs node 20, this is $(node --version)"; exit 77; }
sh "$source/../packages/npm.sh" "$source" "$dir" install # it has an addon for each platform
cd "$dir"
# The adapter that makes a component of a module of WASI preview 1 is in jco itself, which is three times as large.
if [ ! -e package/lib/wasi_snapshot_preview1.command.wasm ]; then
    npm pack --silent @bytecodealliance/jco@1.35.0 >npm.log 2>&1 || { cat npm.log; exit 1; }
    tar -xzf bytecodealliance-jco-1.35.0.tgz
fi
cp "$source"/*.mjs .
clang --target=wasm32 -g -O2 -c "$source/../debug_info/calls.c" -o calls.o
wasm-ld --no-entry --export=run calls.o -o calls.wasm
node make.mjs "$programs/app.wasm" "$source/two.wat" "$source/http.wat" "$source/store.txt"
node inside.mjs "$toll" "${5:-few}"
node serve.mjs "$toll" "$lib" "${5:-few}"
exec node run.mjs "$toll" "$programs/app.wasm" "$lib" "${5:-few}"
