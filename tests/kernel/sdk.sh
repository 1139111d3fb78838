#!/bin/sh
# sdk.sh DIR LIB - builds a kernel with the published Rust SDK in DIR, where there are the SDK and a Rust for it,
# fetches the published installer, and has the host in LIB run both.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
dir=$1
lib=$2
target=wasm32-unknown-unknown
for program in node cargo; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ -d "$(rustc --print target-libdir --target $target)" ] || { echo "skipped: there is no Rust for $target"; exit 77; }
mkdir -p "$dir"
cd "$dir"
cp "$source"/*.mjs .
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
    --manifest-path "$source/sdk/Cargo.toml" || exit 77
cp "sdk/$target/release/toll_test_kernel.wasm" .
# The installer is a kernel that is published as a module.
if fetched "installer" cargo fetch --locked --manifest-path "$source/installer/Cargo.toml"; then
    find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -path "*/tezos-smart-rollup-installer-0.2.2/installer.wasm" \
        -exec cp {} . \;
fi
node sdk.mjs "$lib"
