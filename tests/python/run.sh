#!/bin/sh
# run.sh TOLL SOURCE DIR LIB - the package toll for Python, as a wheel of LIB/python, profiles guests in wasmtime (of
# PyPI, in an environment in DIR) as toll.mjs does in Node.
set -eu
toll=$1
source=$2
dir=$3
lib=$4
here=$source/tests/python
fail() {
    echo "FAILED: $*"
    exit 1
}
for program in node clang wasm-ld wat2wasm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
sh "$here/environment.sh" "$dir" "$lib" || exit $?
cd "$dir"
python=$dir/venv/bin/python
wheel=$(ls wheels)
case $wheel in
tollprof-*-py3-none-any.whl) ;;
*) fail "the wheel is $wheel" ;;
esac
version=$(sed -n 's/^#define TOLL_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$source/include/toll/version.h" | paste -sd. -)
[ "$wheel" = "tollprof-$version-py3-none-any.whl" ] || fail "$wheel is not of version $version"

rm -f ./*.folded ./*.gz
clang --target=wasm32 -O0 -mbulk-memory -nostdlib -Wl,--no-entry "$source/tests/wasm_engine/programs.c" -o programs.wasm
clang --target=wasm32-wasi --sysroot=/usr -O0 "$here/guest.c" -o guest.wasm
clang --target=wasm32 -g -O2 -c "$source/tests/debug_info/calls.c" -o lines.o
wasm-ld --no-entry --export=run lines.o -o lines.wasm
"$toll" run --lines --inlines --clock none -q -o node.debug.pb.gz --invoke run lines.wasm 50 >/dev/null
for name in trap two; do wat2wasm --debug-names "$here/$name.wat" -o $name.wasm; done

"$python" -W error "$here/recorder.py" "$toll" "$lib" "$here/node.mjs" || fail "recorder.py"
# The others compile toll.wasm many times: component/fuel runs all.
"$python" -W error "$here/component.py" Components.test_counts Components.test_a_trap_loses_that_instance || fail "component.py"

conformance=$source/tests/conformance
sh "$conformance/run.sh" make "$toll" "$dir/conformance"
(cd conformance && SOURCE_DATE_EPOCH=1700000000 "$python" -W error "$conformance/runner.py" . >printed.txt) || fail "runner.py"
sh "$conformance/run.sh" judge "$toll" "$dir/conformance" || fail "tests/conformance"

# The example, as its own first lines say; and its exit status.
status=0
"$python" "$source/examples/python/profile_guest.py" --heap --time -o example.pb.gz guest.wasm 4 exit >example.out 2>example.err || status=$?
[ $status = 3 ] || { cat example.err; fail "exit status $status, not 3"; }
"$toll" report -q --value calls example.pb.gz | grep -q ' work$' || fail "example.pb.gz has no work"
"$toll" check example.pb.gz >/dev/null || fail "example.pb.gz"
echo "the example writes a profile"
