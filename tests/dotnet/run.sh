#!/bin/sh
# run.sh TOLL LIB SOURCE DIR - the heap of .NET's runtime as a package of npm brings it, in Chromium and in Node.
set -eu
toll=$1
lib=$2
source=$3
dir=$4
here=$source/tests/dotnet
for program in node npm chromium; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
sh "$source/tests/packages/npm.sh" "$here" "$dir"
cd "$dir"
rm -rf toll
mkdir toll
cp "$lib"/*.mjs "$lib"/toll-heap-dotnet.js "$lib/toll.wasm" toll
cp "$here"/*.mjs "$here"/*.html "$source/tests/browser/chromium.mjs" "$source/tests/readers/common.mjs" .
exec node check.mjs "$toll"
