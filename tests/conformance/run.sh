#!/bin/sh
# run.sh make TOLL DIR               makes DIR: cases.txt and the guests that it names
# run.sh judge TOLL DIR [LACKS...]   compares DIR/printed.txt, which an adapter's runner has printed there, with expected.txt
# run.sh node TOLL DIR LIB           both for toll.mjs of LIB; with TOLL_UPDATE in the environment, writes expected.txt
#
# The runners of other adapters run where these are tested: tests/python, tests/wazero, tests/wasmtime; with
# SOURCE_DATE_EPOCH=1700000000 in the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
what=$1
toll=$2
dir=$3
shift 3
for program in node wat2wasm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done

make() {
    rm -rf "$dir"
    mkdir -p "$dir"
    cp "$here/cases.txt" "$dir"
    for name in guest begin; do wat2wasm --debug-names "$here/$name.wat" -o "$dir/$name.wasm"; done
    printf '\000\036\011producers\001\014processed-by\001\002cc\0019' >>"$dir/guest.wasm" # a custom section: made by cc 9
    "$toll" instrument -q --depth 3 "$dir/guest.wasm" -o "$dir/instrumented.wasm"
    cp "$here/../../fuzz/corpus/debug_code/dwarf5.wasm" "$dir/debug.wasm" # a compiler's, whose costs and lines stay as they are
    "$toll" instrument -q --lines "$dir/debug.wasm" -o "$dir/instrumented_debug.wasm"
    printf 'no module' >"$dir/none.wasm"
}

judge() {
    (cd "$dir" && node --no-warnings "$here/judge.mjs" "$toll" "$here" printed.txt "$@")
}

case $what in
make) make ;;
judge) judge "$@" ;;
node)
    [ -e "$1/toll.wasm" ] || { echo "skipped: toll.wasm was not built"; exit 77; }
    make
    (cd "$dir" && SOURCE_DATE_EPOCH=1700000000 node --no-warnings "$here/runner.mjs" . "$1" >printed.txt)
    judge
    ;;
esac
