#!/bin/sh
# run.sh TOLL SOURCE DIR LIB [clippy] - the crates toll-sys and tollprof, built in DIR (or TOLL_CARGO_TARGET): their tests, the programs
# of their documentation, no warnings of rustdoc; and the example's profile is that of the same machine in C, with libtoll in
# LIB. With `clippy` instead: no warnings of that, which compiles libtoll once more.
set -eu
toll=$1
source=$2
dir=$3
lib=$4
fail() {
    echo "FAILED: $*"
    exit 1
}
for program in cargo cc; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 78 ] || { echo "skipped: $(cargo --version) is older than 1.78, which reads Cargo.lock"; exit 77; }
mkdir -p "$dir"
CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$dir/target}
PATH=$(dirname "$toll"):$PATH # which assert_budget calls
export CARGO_TARGET_DIR PATH CARGO_PROFILE_DEV_DEBUG=0
unset TOLL_OUT || :
cd "$source/hosts/rust"
cargo fetch --locked >"$dir/log" 2>&1 || { tail -3 "$dir/log"; echo "skipped: cargo cannot fetch what toll-sys needs"; exit 77; }
run() { # what, command...
    what=$1
    shift
    "$@" >"$dir/log" 2>&1 || { tail -60 "$dir/log"; fail "$what"; }
}
if [ "${5:-}" = clippy ]; then
    cargo clippy --version >"$dir/log" 2>&1 || { echo "skipped: there is no clippy"; exit 77; }
    run "clippy warns" cargo clippy --locked --workspace --all-targets -- -D warnings
    exit 0
fi
if command -v rustfmt >/dev/null 2>&1; then
    run "run cargo fmt --all in hosts/rust" cargo fmt --all --check
fi
run "cargo test" cargo test --locked --workspace
grep '^test .*::\|^test [a-z_]* ' "$dir/log" | grep -v '(line'
grep '^test result: ok. [1-9]' "$dir/log"
run "cargo doc" env RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps

# The example leaves the same profile as the one in C.
vm=$CARGO_TARGET_DIR/debug/examples/tinyvm
said="the guest says 22, after 256 ticks"
rm -f "$dir"/rust.* "$dir"/c.*
cc -I"$source/include" "$source/examples/embed/tinyvm.c" -L"$lib" -Wl,-rpath,"$lib" -ltoll -o "$dir/c.vm"
cd "$dir"
[ "$("$vm")" = "$said" ] && [ -z "$(find . -maxdepth 1 -name 'rust.*')" ] || fail "the example without TOLL_OUT"
[ "$(TOLL_OUT=rust.folded "$vm")" = "$said" ] || fail "the example with TOLL_OUT"
diff "$source/examples/embed/expected.folded" rust.folded || fail "the example's profile"
TOLL_OUT=rust.pb.gz "$vm" >rust.txt
TOLL_OUT=c.pb.gz ./c.vm >c.txt
for value in ticks calls; do
    "$toll" report -q --json --value $value rust.pb.gz >rust.json
    "$toll" report -q --json --value $value c.pb.gz >c.json
    grep -q '"name":"twice"' rust.json && cmp rust.json c.json || fail "the report of $value is not that of the example in C"
done
cmp rust.txt c.txt
echo "the example's profile is that of the example in C"

# The programs of docs/rust.md run as they are printed there, and the first one leaves this profile.
rm -f page.*
run "cargo build" cargo build --locked --manifest-path "$source/hosts/rust/Cargo.toml"
run "the programs of docs/rust.md" env TOLL_OUT="$dir/page.%p.folded" rustdoc --edition 2021 --test "$source/docs/rust.md" \
    -L "$CARGO_TARGET_DIR/debug/deps" --extern "tollprof=$CARGO_TARGET_DIR/debug/libtollprof.rlib"
grep '^test result: ok. 3 ' log || { cat log; fail "docs/rust.md has not three programs"; }
printf 'main 15\nmain;square 7\n' | diff - page.*.folded || fail "docs/rust.md: the first program's profile"

# What is wrong is a line on standard error, and the machine runs on.
[ "$(TOLL_OUT=rust.none "$vm" 2>rust.error)" = "$said" ] && grep -q '^toll: .*rust.none' rust.error || { cat rust.error; fail "TOLL_OUT=rust.none"; }
