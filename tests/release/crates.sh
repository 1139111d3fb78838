#!/bin/sh
# crates.sh TOLL SOURCE DIST WORK - the release's crates, unpacked: programs that depend on them by path are compiled in a
# folder of their own; what a crate needs of the others is the unpacked one. With tollprof a program records, adds a profile
# of the command's, and its report must be that of `TOLL report`. With toll-wasmtime one records a guest: calls and ticks must
# be, to the last byte, those of `TOLL run`. With toll-svm one writes a profile, in which nothing has run. TOLL_CARGO_TARGET:
# a folder in which wasmtime is compiled already.
. "$(dirname "$0")/common.sh"
needs cargo clang wasm-ld node gcc
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 95 ] || skip "$(cargo --version) is older than 1.95"

mkdir -p "$work/unpacked" "$work/programs"
for crate in "$dist"/*.crate; do
    tar xzf "$crate" -C "$work/unpacked"
    folder=$work/unpacked/$(basename "$crate" .crate)
    for field in description documentation repository license keywords rust-version; do
        grep -q "^$field = " "$folder/Cargo.toml" || fail "${folder##*/}: no $field"
    done
    [ -s "$folder/LICENSE" ] && [ -s "$folder/README.md" ] || fail "${folder##*/}: no licence, or no README"
done
export CARGO_TARGET_DIR="${TOLL_CARGO_TARGET:-$work/target}"

builds() { # crate, its folder in hosts, the end of its line in Cargo.toml, crates that it needs: a program of it, from CRATE.rs
    folder=$work/programs/$1
    needed=$4
    mkdir -p "$folder/src"
    cp "$source/tests/release/$1.rs" "$folder/src/main.rs"
    cp "$work/unpacked/$1-$version/Cargo.lock" "$folder" # the versions of the crate's own tests
    cat >"$folder/Cargo.toml" <<C
[package]
name = "uses-$1"
version = "0.0.0"
edition = "2021"
[dependencies]
$1 = { path = "../../unpacked/$1-$version"$3
[workspace]
C
    [ -z "$needed" ] || echo "[patch.crates-io]" >>"$folder/Cargo.toml"
    for one in $needed; do
        echo "$one = { path = \"../../unpacked/$one-$version\" }" >>"$folder/Cargo.toml"
    done
    sed -n '/^\[profile/,$p' "$source/hosts/$2/Cargo.toml" >>"$folder/Cargo.toml" # so that TOLL_CARGO_TARGET serves
    (cd "$folder" && cargo build --ignore-rust-version) >"$work/log" 2>&1 || { tail -40 "$work/log"; fail "cargo build with $1"; return 1; }
}

documents() { # crate, program: without warnings
    (cd "$work/programs/$2" && cargo doc --no-deps --ignore-rust-version -p "$1") >"$work/log" 2>&1 || { tail -40 "$work/log"; fail "cargo doc of $1"; }
    ! grep -q '^warning' "$work/log" || { grep -A5 '^warning' "$work/log"; fail "$1: cargo doc warns"; }
}

folded() { # value, file, profile, option...
    value=$1
    file=$2
    shift 2
    "$native" convert -q --to folded --value "$value" -o "$file" "$@"
}

if builds tollprof rust ' }' toll-sys; then
    documents tollprof tollprof
    documents toll-sys tollprof
    "$native" convert -q -o before.pb.gz "$source/examples/embed/expected.folded" || fail "toll convert"
    "$CARGO_TARGET_DIR/debug/uses-tollprof" before.pb.gz crate.pb.gz >crate.json || fail "the program with tollprof"
    "$native" report -q --json crate.pb.gz >native.json || fail "toll report"
    grep -q '"name":"square"' crate.json && grep -q '"name":"twice"' crate.json && cmp native.json crate.json ||
        fail "tollprof: another report than toll's"
    [ $failed = 1 ] || echo "tollprof: its report is that of toll report"
fi

if builds toll-wasmtime wasmtime ' }' ''; then
    documents toll-wasmtime toll-wasmtime
    clang --target=wasm32 -O0 -mbulk-memory -nostdlib -Wl,--no-entry "$source/tests/wasm_engine/programs.c" -o guest.wasm
    "$native" run --clock none -q -o node.pb.gz --invoke run guest.wasm 2 >/dev/null || fail "toll run"
    "$CARGO_TARGET_DIR/debug/uses-toll-wasmtime" guest.wasm 2 crate.pb.gz || fail "the program with toll-wasmtime"
    for value in calls ticks; do
        folded $value node.folded node.pb.gz --focus '^run$'
        folded $value crate.folded crate.pb.gz --focus '^run$'
        [ -s crate.folded ] && cmp node.folded crate.folded || fail "toll-wasmtime: other $value than toll run's"
    done
    [ $failed = 1 ] || echo "toll-wasmtime: $(wc -l <crate.folded) stacks as by toll run"
fi

# Without the runtimes, which take many minutes to compile: the test `crate` has them.
if builds toll-svm solana ', default-features = false }' 'toll-sys tollprof'; then
    "$CARGO_TARGET_DIR/debug/uses-toll-svm" crate.pb.gz || fail "the program with toll-svm"
    gzip -t crate.pb.gz && "$native" check -q crate.pb.gz || fail "toll-svm: the profile is not sound"
    "$native" report --json crate.pb.gz | grep -q '^{"value":"compute units"' || fail "toll-svm: another profile"
    [ $failed = 1 ] || echo "toll-svm: compiles, and writes a profile"
fi
exit $failed
