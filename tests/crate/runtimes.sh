#!/bin/sh
# runtimes.sh TOLL SOURCE DIR LITESVM MOLLUSK AGAVE [NAME...] - the tests of the crate toll-svm with other runtimes than those of its
# Cargo.lock, such as 0.16.0 0.15.1 4.2, and what these charge for system calls, of which those of NAME have other formulas than
# Toll's. Built in DIR; minutes.
set -eu
toll=$1
source=$2
dir=$3
for program in cargo clang; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
rm -rf "$dir/crate"
mkdir -p "$dir/crate"
cd "$dir/crate"
cp -r "$source"/hosts/solana/src "$source"/hosts/solana/tests "$source"/hosts/solana/benches "$source"/hosts/solana/guest \
    "$source"/hosts/solana/.cargo .
sed -e "s/^litesvm = { version = \"[^\"]*\"/litesvm = { version = \"=$4\"/" -e "s/^mollusk-svm = { version = \"[^\"]*\"/mollusk-svm = { version = \"=$5\"/" \
    -e "s/\">=4\.1, <4\.4\"/\"~$6\"/" -e 's/^rust-version.*//' -e "s|\"\.\./rust|\"$source/hosts/rust|" "$source/hosts/solana/Cargo.toml" >Cargo.toml
for file in guest/Cargo.toml guest/macros/Cargo.toml; do # else dependencies are as old as the oldest of these
    sed -e 's/^rust-version.*//' "$file" >new
    mv new "$file"
done
CARGO_TARGET_DIR=$dir/target
RUST_LOG=off
export CARGO_TARGET_DIR RUST_LOG
cargo generate-lockfile >lock.log 2>&1 || { cat lock.log; exit 1; }
grep -A1 -E '^name = "(litesvm|mollusk-svm|solana-program-runtime)"$' Cargo.lock | sed -n 's/^version = //p' | tr '\n' ' '
echo
cargo test --locked --ignore-rust-version --workspace >log 2>&1 || { tail -60 log; exit 1; }
grep '^test result' log
shift 6
sh "$source/tests/crate/prices.sh" "$toll" "$source" "$dir/prices" "$@"
