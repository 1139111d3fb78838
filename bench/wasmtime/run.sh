#!/bin/sh
# run.sh BUILD - the cost of toll-wasmtime for a guest of wasmtime (bench/wasmtime/src/main.rs). The engine is built
# first, which takes minutes; TOLL_CARGO_TARGET may name an earlier build.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
for tool in clang clang++ node wasm-ld cargo; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 0; }
done
[ -e "$build/lib/wasmtime/toll.wasm" ] || { echo "skipped: there is no toll.wasm"; exit 0; }
rm -rf "$build/bench_wasmtime/crate"
mkdir -p "$build/bench_wasmtime"
cp -R "$here" "$build/bench_wasmtime/crate"
sh "$here/../wasm/calls_and_work.sh" "$build/bench_wasmtime"
[ -e "$build/debug-34-1/stripped.wasm" ] || sh "$here/../debug/units.sh" "$build/debug-34-1" 34 1 # 4 MB
cd "$build/bench_wasmtime/crate"
sed "/^toll-wasmtime/s|path = \".*\"|path = \"$build/lib/wasmtime\"|" "$here/Cargo.toml" >Cargo.toml
CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$build/bench_wasmtime/target}
export CARGO_TARGET_DIR
cargo build --locked --release >../build.log 2>&1 || { tail -20 ../build.log; exit 1; }
"$CARGO_TARGET_DIR/release/bench" ../fib.wasm ../programs.wasm ../../debug-34-1/units.wasm ../../debug-34-1/stripped.wasm
echo "load: $(cat /proc/loadavg)"
