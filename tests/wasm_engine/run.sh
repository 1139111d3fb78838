#!/bin/sh
# run.sh TOLL DIR LIB - instrumented modules in an engine that is not V8, wasmtime (of crates.io, built in
# DIR or TOLL_CARGO_TARGET): its fuel for programs, the specification's tests and random modules is their
# ticks, to the last one; the specification's tests hold, and random modules do what they did; and toll.wasm
# in LIB writes the profile that it writes in Node.
set -eu
toll=$1
source=$(cd "$(dirname "$0")" && pwd)
dir=$2
lib=$3
for program in cargo clang wasm-ld; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 95 ] || { echo "skipped: $(cargo --version) is older than 1.95"; exit 77; }
mkdir -p "$dir"
cd "$source"
if command -v rustfmt >/dev/null 2>&1; then
    cargo fmt --check || { echo "FAILED: run cargo fmt in tests/wasm_engine"; exit 1; }
fi
CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$dir/target}
export CARGO_TARGET_DIR
cargo build --locked >"$dir/log" 2>&1 || { tail -60 "$dir/log"; echo "FAILED: cargo build"; exit 1; }
engine=$CARGO_TARGET_DIR/debug/wasm-engine

cd "$dir"
set --
for level in 0 1 2 3 s; do
    for program in "$source/programs.c" "$source/../instrument/work.c" "$source/../instrument/calls.c"; do
        module=$(basename "$program" .c).O$level.wasm
        clang --target=wasm32 -O$level -msimd128 -mbulk-memory -nostdlib -Wl,--no-entry "$program" -o "$module"
        set -- "$@" "$module"
    done
done
"$engine" programs "$@"
"$engine" fuel
"$engine" random "${TOLL_RANDOM_COUNT:-240}" "${TOLL_RANDOM_FIRST:-0}"
"$engine" spec

[ -e "$lib/toll.wasm" ] || { echo "not under toll.wasm: it was not built"; exit 0; }
command -v node >/dev/null 2>&1 || { echo "not compared with Node: there is no node"; exit 0; }
for program in programs.O0 work.O2 calls.O0; do
    for depth in 0 3; do
        "$toll" instrument --costs fuel --depth $depth $program.wasm -o $program.toll.wasm
        for value in ticks calls; do
            "$engine" host "$lib/toll.wasm" $program.toll.wasm 3 $value $program.wasmtime.folded
            node "$source/profile.mjs" "$lib" $program.toll.wasm 3 $value $program.node.folded
            cmp $program.wasmtime.folded $program.node.folded || { echo "FAILED: $program, $value"; exit 1; }
            deep=$(grep -c ';.*;.*;' $program.node.folded || true) # stacks of more than 3 functions
            case $depth:$deep in
            3:0 | 0:[1-9]*) ;;
            *) echo "FAILED: $program, depth $depth: $deep stacks of more than 3"; exit 1 ;;
            esac
            echo "$program, depth $depth: $(wc -l <$program.node.folded) stacks of $value are those of Node"
        done
    done
done
