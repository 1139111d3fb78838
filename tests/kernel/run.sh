#!/bin/sh
# run.sh EXAMPLES DIR LIB TOLL - builds the example kernels and some wrong ones in DIR, and has the host in
# LIB run them, without TOLL and with; also one in Rust, where there are the SDK and a Rust for it.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
examples=$1
dir=$2
lib=$3
toll=$4
for program in node make clang wasm-ld wat2wasm b2sum; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
cp "$examples"/* "$source"/*.mjs .
make -s
for module in "$source"/*.wat; do
    wat2wasm --debug-names "$module" -o "$(basename "$module" .wat).wasm"
done
run() { # test, arguments...
    test=$1
    shift
    node "$test.mjs" "$lib" "$@" >"$test.log" || { cat "$test.log"; exit 1; }
    echo "$test: $(grep -c '^ok' "$test.log") tests"
}
run store
run hashes
run inbox
run config
run kernels
run wrong
if [ -e "$lib/toll.wasm" ]; then run profile "$toll" "$examples"; run options "$toll" "$examples"; run chosen "$toll" "$examples"; run pvm "$toll" "$examples"; else echo "not profiled: there is no toll.wasm"; fi

target=wasm32-unknown-unknown
if ! command -v cargo >/dev/null 2>&1 || [ ! -d "$(rustc --print target-libdir --target $target)" ]; then
    echo "no kernel in Rust: there is no Rust for $target"
    exit 0
fi
export CARGO_TARGET_DIR="$PWD/sdk"
# Without a registry there is no SDK, or no installer; anything else that goes wrong is an error.
fetched() { # what, command...
    what=$1
    shift
    "$@" >sdk.log 2>&1 && return
    grep -q -E "failed to (download|get|fetch)|Could not resolve|network" sdk.log || { cat sdk.log; exit 1; }
    echo "no $what: it cannot be fetched:"
    tail -3 sdk.log
    return 1
}
fetched "kernel in Rust" cargo build --quiet --release --locked --target $target \
    --manifest-path "$source/sdk/Cargo.toml" || exit 0
cp "sdk/$target/release/toll_test_kernel.wasm" .
# The installer is a kernel that is published as a module.
if fetched "installer" cargo fetch --locked --manifest-path "$source/installer/Cargo.toml"; then
    find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -path "*/tezos-smart-rollup-installer-0.2.2/installer.wasm" \
        -exec cp {} . \;
fi
run sdk
