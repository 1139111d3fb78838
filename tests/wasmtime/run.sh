#!/bin/sh
# run.sh TOLL SOURCE DIR LIB [all] - the crate toll-wasmtime (LIB/wasmtime), built in DIR or TOLL_CARGO_TARGET: profiles of
# guests in wasmtime are those of Node. With `all` also with the oldest wasmtime that it works with, and the example, whose WASI
# is the engine's own.
set -eu
toll=$1
source=$2
dir=$3
lib=$4
all=${5:-}
here=$source/tests/wasmtime
fail() {
    echo "FAILED: $*"
    exit 1
}
for program in cargo node clang wasm-ld wat2wasm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 95 ] || { echo "skipped: $(cargo --version) is older than 1.95"; exit 77; }
[ -e "$lib/wasmtime/toll.wasm" ] || { echo "skipped: there is no toll.wasm"; exit 77; }
if command -v rustfmt >/dev/null 2>&1; then
    (cd "$source/hosts/wasmtime" && cargo fmt --check) || fail "run cargo fmt in hosts/wasmtime"
    rustfmt --edition 2021 --check "$source/examples/wasmtime/src/main.rs" || fail "run rustfmt on examples/wasmtime/src/main.rs"
fi

mkdir -p "$dir/guests"
cd "$dir/guests"
# Compiled and linked in two steps: when clang links with -O, it runs wasm-opt, if there is one, which takes the names away.
clang --target=wasm32 -O2 -c "$source/tests/wazero/guest.c"
wasm-ld --no-entry guest.o -o guest.wasm
clang --target=wasm32 -O0 -mbulk-memory -nostdlib -Wl,--no-entry "$source/tests/wasm_engine/programs.c" -o programs.wasm
clang --target=wasm32-wasi --sysroot=/usr -O0 "$source/tests/python/guest.c" -o program.wasm
wat2wasm --debug-names "$source/tests/python/two.wat" -o two.wasm
node "$source/tests/wazero/node.mjs" "$lib" guest.wasm
for how in return exit trap; do
    "$toll" run --heap --clock none -q -o node.$how.pb.gz program.wasm 5 $how >/dev/null 2>&1 || [ $how != return ]
done
"$toll" run --call-lines --clock none -q -o node.lines.pb.gz --invoke run programs.wasm 2 >/dev/null
clang --target=wasm32 -g -O2 -c "$source/tests/debug_info/calls.c" -o lines.o
wasm-ld --no-entry --export=run lines.o -o lines.wasm
"$toll" run --lines --inlines --clock none -q -o node.debug.pb.gz --invoke run lines.wasm 50 >/dev/null

for name in two composed; do cp "$source/fuzz/corpus/component_code/$name" $name.component.wasm; done

conformance=$source/tests/conformance/run.sh
sh "$conformance" make "$toll" "$dir/guests/conformance"

CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$dir/target}
TOLL=$toll
TOLL_GUESTS=$dir/guests
SOURCE_DATE_EPOCH=1700000000
PATH=$(dirname "$toll"):$PATH # which assert_budget calls
export PATH CARGO_TARGET_DIR TOLL TOLL_GUESTS SOURCE_DATE_EPOCH
version() { grep -A1 '^name = "wasmtime"$' Cargo.lock | sed -n 's/^version = "\(.*\)"/\1/p'; }
tested() { # the crate's folder
    cd "$1"
    cargo test --locked --all-features >"$dir/log" 2>&1 || { tail -60 "$dir/log"; fail "cargo test, wasmtime $(version)"; }
    grep '^test ' "$dir/log"
    sh "$conformance" judge "$toll" "$dir/guests/conformance" || fail "tests/conformance, wasmtime $(version)"
    "$toll" report --info "$dir/guests/conformance/calls.0.pb" | grep -q "engine=wasmtime $(version | cut -d. -f1); " ||
        fail "the engine: $("$toll" report --info "$dir/guests/conformance/calls.0.pb")"
    TOLL_LABELS=commit=1,host=a cargo test --locked --all-features options::labels >"$dir/log" 2>&1 || { tail -20 "$dir/log"; fail "labels of the environment"; }
    TOLL_LABELS=host cargo test --locked --all-features options::labels -- --nocapture >"$dir/log" 2>&1 || { tail -20 "$dir/log"; fail "no labels in the environment"; }
    grep -q "toll: warning: TOLL_LABELS is left out: a label is KEY=VALUE, and not 'host'" "$dir/log" || fail "nothing was said of TOLL_LABELS=host"
    echo "with wasmtime $(version)"
}
tested "$lib/wasmtime"
[ "$all" = all ] || exit 0

rm -rf "$dir/oldest"
cp -R "$lib/wasmtime" "$dir/oldest"
cp "$here/oldest.lock" "$dir/oldest/Cargo.lock"
(tested "$dir/oldest") || exit 1

# The example, in place of whose own path to the crate is that of this build.
rm -rf "$dir/example"
cp -R "$source/examples/wasmtime" "$dir/example"
cd "$dir/example"
sed "s|path = \".*\"|path = \"$lib/wasmtime\"|" "$source/examples/wasmtime/Cargo.toml" >Cargo.toml
cargo build --locked >"$dir/log" 2>&1 || { tail -60 "$dir/log"; fail "cargo build of the example"; }
cd "$dir/guests"
for how in return exit trap; do
    status=0
    "$CARGO_TARGET_DIR/debug/profile-guest" program.wasm 5 $how >example.out 2>example.err || status=$?
    case $how:$status in
    return:0 | exit:3 | trap:134) ;;
    *) cat example.err; fail "the example's exit status is $status for $how" ;;
    esac
    for value in calls ticks; do
        for profile in program node.$how; do
            "$toll" convert -q --to folded --value $value --focus '^_start$' -o $profile.folded $profile.pb.gz
        done
        cmp program.folded node.$how.folded || fail "the example's $value, $how"
    done
done
echo "the example writes profiles that are those of Node"
