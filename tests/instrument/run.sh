#!/bin/sh
# run.sh TOLL DIR LIB - compiles modules in DIR, instruments them, and checks what they do then (modules.mjs), also
# those of real programs from npm (sqlite.mjs), and with toll.wasm (host.mjs).
set -eu
toll=$1
source=$(cd "$(dirname "$0")" && pwd)
dir=$2
lib=$3
for program in node clang wasm-ld wasm-opt wat2wasm wasm2wat wasm-validate wasm-objdump; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
[ -e node_modules ] || { echo "skipped: there are no packages; the test instrument/setup tells why"; exit 77; }
cp "$source"/*.mjs .
compile() { # program, options...
    program=$1
    shift
    clang --target=wasm32 "$@" -nostdlib -Wl,--no-entry "$source/$program.c" -o "$program.wasm"
}
compile calls -O0 # no call is optimised away
compile work -O2 -msimd128 -mbulk-memory
clang --target=wasm32 -msimd128 -mbulk-memory -g -O2 -c "$source/work.c" -o debug.o # linked apart: no wasm-opt
wasm-ld --no-entry debug.o -o debug.wasm
for program in recursion exceptions tail start places pool traps kinds sampled; do
    wat2wasm --enable-all --debug-names "$source/$program.wat" -o $program.wasm
done
wasm-opt --asyncify -g "$source/asyncify.wat" -o asyncify.wasm
for module in *.wasm; do
    case $module in *.toll.wasm) continue ;; esac
    "$toll" instrument "$module" -o "${module%.wasm}.toll.wasm"
    wasm-validate --enable-all "${module%.wasm}.toll.wasm"
done
node modules.mjs "$toll"
node lines.mjs "$toll"
node many.mjs "$toll" "$lib"
node meter.mjs "$toll" "$source/meter.c"
# Not for wasm-validate: it takes an index of a function for a number of bytes.
wat2wasm --enable-all --enable-annotations --enable-code-metadata "$source/hints.wat" -o hints.wasm
node hints.mjs "$toll"
rm hints.wasm
node sqlite.mjs "$toll"
[ -e "$lib/toll.wasm" ] || { echo "not under toll.wasm: it was not built"; exit 0; }
node host.mjs "$toll" "$lib"
node events.mjs "$lib"
node hook.mjs "$lib"
node asyncify.mjs "$lib"
node fold_recursion.mjs "$toll" "$lib"
node sampled.mjs "$lib"
node v8_stacks.mjs "$lib"
node api.mjs "$lib"
node moments.mjs "$lib"
node line_profile.mjs "$lib"
node debug_info.mjs "$toll" "$lib"
node call_lines.mjs "$toll" "$lib"
node call_kinds.mjs "$toll" "$lib"
node assembly.mjs "$toll" "$lib"
