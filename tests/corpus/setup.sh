#!/bin/sh
# setup.sh LIB SOURCE DIR - installs packages into DIR, puts the tests beside them and compiles programs there, for run.sh.
set -eu
lib=$1
source=$2
dir=$3
for program in node npm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ -e "$lib/toll.wasm" ] || { echo "skipped: there is no toll.wasm in $lib"; exit 77; }
mkdir -p "$dir"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/corpus" .
cp -r "$source"/tests/corpus/*.mjs "$source"/tests/corpus/new "$source"/tests/browser/chromium.mjs .
sh "$source/tests/corpus/build.sh" "$source/tests/corpus/programs"
