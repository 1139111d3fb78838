#!/bin/sh
# run.sh TOLL LIB DIR [NAME...] - installs the packages into DIR and holds their modules (corpus.mjs).
set -eu
toll=$1
lib=$2
dir=$3
shift 3
source=$(cd "$(dirname "$0")" && pwd)
for program in node npm wasm-validate; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ -e "$lib/toll.wasm" ] || { echo "skipped: there is no toll.wasm in $lib"; exit 77; }
mkdir -p "$dir"
cd "$dir"
cp "$source"/*.mjs "$source"/package.json "$source"/package-lock.json "$source"/.npmrc .
cmp -s package-lock.json installed-lock.json || npm ci --silent --ignore-scripts
cp package-lock.json installed-lock.json
exec node corpus.mjs "$toll" "$lib" "$@"
