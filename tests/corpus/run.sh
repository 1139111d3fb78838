#!/bin/sh
# run.sh GROUP TOLL LIB DIR - the modules of a group of table.mjs, "new" (new.mjs) or "threads", in DIR, which setup.sh has
# filled. Several groups run there at once: none may write what another reads.
set -eu
group=$1
toll=$2
lib=$3
dir=$4
needs="node wasm-validate"
[ "$group" = new ] && needs="node chromium"
for program in $needs; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
cd "$dir"
[ -e node_modules ] || { echo "skipped: the packages are not installed"; exit 77; }
[ "$group" = new ] && exec node new.mjs "$lib"
[ "$group" = threads ] && exec node threads.mjs "$toll" "$lib"
exec node corpus.mjs "$toll" "$lib" "$group"
