#!/bin/sh
# run.sh GROUP TOLL LIB SOURCE DIR - the modules of a group of table.mjs, "new" (new.mjs) or "threads", in DIR.
set -eu
group=$1
toll=$2
lib=$3
source=$4
dir=$5
needs="node wasm-validate"
[ "$group" = new ] && needs="node chromium"
for program in $needs; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
cd "$dir"
[ -e node_modules ] || { echo "skipped: the packages are not installed"; exit 77; }
cp -r "$source"/tests/corpus/*.mjs "$source"/tests/corpus/new "$source"/tests/browser/chromium.mjs .
[ "$group" = new ] && exec node new.mjs "$lib"
[ "$group" = threads ] && exec node threads.mjs "$toll" "$lib"
exec node corpus.mjs "$toll" "$lib" "$group"
