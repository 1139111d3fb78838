#!/bin/sh
# run.sh TOLL DIR LIB - the packages of package.json, plain and under Toll.hook: the same results, profiles whose sums are
# exact, and what that costs. For scripts/nightly: it takes minutes and 2 GB.
set -eu
toll=$1
source=$(cd "$(dirname "$0")" && pwd)
dir=$2
lib=$3
command -v node >/dev/null 2>&1 || { echo "skipped: there is no node"; exit 77; }
[ -e "$lib/toll.wasm" ] || { echo "skipped: toll.wasm was not built"; exit 77; }
sh "$source/../packages/npm.sh" "$source" "$dir"
cd "$dir"
cp "$source"/*.mjs .
for guest in ruby pyodide; do
    node --no-warnings large.mjs "$guest" "$toll" "$lib"
done
