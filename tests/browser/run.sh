#!/bin/sh
# run.sh TOLL LIB SOURCE DIR - builds the page of examples/browser in DIR, and opens it.
set -eu
toll=$1
lib=$2
source=$3
dir=$4
for program in node npm chromium; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ -e "$lib/toll.wasm" ] || { echo "skipped: there is no toll.wasm in $lib"; exit 77; }
mkdir -p "$dir/page"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/browser" .
cp "$source"/tests/browser/*.mjs "$source"/tests/readers/common.mjs .
cp "$source"/examples/browser/* "$lib"/*.mjs "$lib/toll.wasm" node_modules/sql.js/dist/sql-wasm.js \
    node_modules/sql.js/dist/sql-wasm.wasm page
node browser.mjs "$toll"
node sampled.mjs "$toll"
node speedscope.mjs "$toll" page.speedscope.json page.pb.gz worker.speedscope.json
