#!/bin/sh
# prices.sh TOLL SOURCE DIR [NAME...] - in a folder of the crate toll-svm, with Cargo's variables set: what its runtimes charge for each
# system call is the price that Toll gives it (prices.mjs), but for those of NAME.
set -eu
toll=$1
source=$2
dir=$3
shift 3
command -v node >/dev/null 2>&1 && [ "$(node -p 'process.versions.node.split(".")[0] >= 18')" = true ] ||
    { echo "prices of system calls not compared: there is no node 18"; exit 0; }
rm -rf "$dir"
mkdir -p "$dir"
node "$source/tests/crate/prices.mjs" write "$dir"
TOLL_PRICES=$dir SBF_TRACE_DIR=$dir/traces cargo test --locked --ignore-rust-version --test prices >"$dir/log" 2>&1 ||
    { tail -40 "$dir/log"; exit 1; }
node "$source/tests/crate/prices.mjs" judge "$toll" "$dir" "$@"
