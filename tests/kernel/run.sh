#!/bin/sh
# run.sh EXAMPLES DIR LIB TOLL PART - the part `setup` builds the example kernels and some wrong ones in DIR. The others
# run them, each in a folder of its own: `host` by the host in LIB, and each other one is a script that runs them under TOLL.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
examples=$1
dir=$2
lib=$3
toll=$4
part=$5
for program in node make clang wasm-ld wat2wasm b2sum; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
if [ "$part" = setup ]; then
    mkdir -p "$dir"
    cd "$dir"
    cp "$examples"/* .
    make -s
    for module in "$source"/*.wat; do
        wat2wasm --debug-names "$module" -o "$(basename "$module" .wat).wasm"
    done
    exit
fi
[ "$part" = host ] || [ -e "$lib/toll.wasm" ] || { echo "skipped: no toll.wasm in this build"; exit 77; }
rm -rf "${dir:?}/$part"
mkdir "$dir/$part"
cd "$dir/$part"
cp "$source"/*.mjs "$dir"/*.* .
run() { # test, arguments...
    test=$1
    shift
    node "$test.mjs" "$lib" "$@" >"$test.log" || { cat "$test.log"; exit 1; }
    echo "$test: $(grep -c '^ok' "$test.log") tests"
}
if [ "$part" = host ]; then
    for test in store hashes inbox config kernels wrong; do
        run $test
    done
else
    run "$part" "$toll" "$examples"
fi
