#!/bin/sh
# run.sh VERSION TOLL BUILD SOURCE - the tests that hold Toll to exact profiles under Node, under that version of
# it, with what the tests corpus/setup and instrument/setup have made in BUILD.
set -eu
version=$1
toll=$2
build=$3
tests=$4/tests
lib=$build/lib
dir=$build/node_versions/$version
bin=$build/node_versions/node_modules/node$version/bin
[ -x "$bin/node" ] || { echo "skipped: there is no Node $version; the test node/setup tells why"; exit 77; }
PATH=$bin:$PATH
export PATH
unset TOLL_NODE
mkdir -p "$dir/instrument" "$dir/corpus"
ln -sfn "$build/instrument/node_modules" "$dir/instrument/node_modules"
ln -sfn "$build/corpus/node_modules" "$dir/corpus/node_modules"
ln -sfn "$build/corpus/built" "$dir/corpus/built"
cp -r "$build"/corpus/*.mjs "$build/corpus/new" "$dir/corpus"

part() { # test, script, arguments...
    name=$1
    shift
    status=0
    sh "$@" >"$dir/log" 2>&1 || status=$?
    case $status in
    0) echo "$name: passed" ;;
    77) echo "$name: $(tail -1 "$dir/log")" ;;
    *)
        cat "$dir/log"
        echo "FAILED: $name under Node $(node --version)"
        exit 1
        ;;
    esac
}
part wasm/run "$tests/wasm_run/run.sh" "$toll" "$dir/wasm_run" "$lib"
for test in guest outcome preload; do
    part wasm/$test "$tests/wasm_run/quick.sh" $test "$toll" "$lib"
done
part instrument "$tests/instrument/run.sh" "$toll" "$dir/instrument" "$lib"
for group in built threads tree-sitter; do
    part corpus/$group "$tests/corpus/run.sh" $group "$toll" "$lib" "$dir/corpus"
done
echo "Node $(node --version)"
