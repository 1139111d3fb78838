#!/bin/sh
# run.sh DIR LIB - contracts that come with CosmWasm's VM, called in it and in Node: the ticks with `--costs cosmwasm` are the
# gas that the VM charges for their instructions, to the last one. The VM is compiled in DIR or TOLL_CARGO_TARGET.
set -eu
dir=$1
lib=$2
source=$(cd "$(dirname "$0")" && pwd)
for program in cargo node jq; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 95 ] || { echo "skipped: $(cargo --version) is older than 1.95"; exit 77; }
mkdir -p "$dir"
cd "$source"
! command -v rustfmt >/dev/null 2>&1 || cargo fmt --check || { echo "FAILED: run cargo fmt in tests/cosmwasm"; exit 1; }
CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$dir/target}
export CARGO_TARGET_DIR
cargo build --locked >"$dir/log" 2>&1 || { tail -60 "$dir/log"; echo "FAILED: cargo build"; exit 1; }
contracts=$(dirname "$(cargo metadata --locked --format-version 1 | jq -r '.packages[] | select(.name == "cosmwasm-vm") | .manifest_path')")/testdata
[ -e "$contracts/cyberpunk.wasm" ] || { echo "FAILED: cosmwasm-vm comes without contracts"; exit 1; }
cd "$dir"
compare() { # contract, calls
    contract=$contracts/$1.wasm
    shift
    "$CARGO_TARGET_DIR/debug/cosmwasm-gas" "$contract" "$@" >calls.json
    node "$source/check.mjs" "$lib" "$contract" calls.json
}
compare cyberpunk 'instantiate {}' 'execute {"noop":{}}' 'execute {"mirror_env":{}}' \
    'execute {"argon2":{"mem_cost":16,"time_cost":1}}' 'execute {"argon2":{"mem_cost":256,"time_cost":2}}'
compare cyberpunk_rust170 'execute {"noop":{}}' 'execute {"mirror_env":{}}'
for version in "" _1.0 _1.3; do
    compare hackatom$version 'query {"recurse":{"depth":0,"work":0}}' 'query {"recurse":{"depth":0,"work":25}}' 'query {"none":{}}'
done
compare floaty_2.0 'query {"instructions":{}}'
echo "CosmWasm: gas is ticks"
