#!/bin/sh
# run.sh WHAT TOLL SOURCE DIR - the pages of `toll view` in chromium or firefox, which open them from disk; or, with
# trees, blocks, search, patterns, lanes or names, the page's modules in Node; calls-*: the timeline; compare-*: comparisons;
# strict-*: servers that forbid scripts.
set -eu
what=$1
toll=$2
source=$3
dir=$4
case $what in
trees | blocks | search | patterns | lanes | names) programs=node ;;
*chromium) programs="node npm chromium" ;;
*firefox) programs="node npm firefox-esr" ;;
esac
for program in $programs; do
    command -v "$program" >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
case $what in trees | blocks | search | patterns | lanes | names) exec node "$source/tests/page/$what.mjs" "$source/src/page/web" "$toll" "$dir" ;; esac
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/page" .
cp "$source"/tests/page/*.mjs .
case $what in
calls-*) node calls.mjs "${what#calls-}" "$toll" ;;
compare-*) node compare.mjs "${what#compare-}" "$toll" "$source/tests/cli/data" ;;
strict-*) node strict.mjs "${what#strict-}" "$toll" "$source/tests/cli/data" ;;
*) node page.mjs "$what" "$toll" "$source/tests/cli/data" ;;
esac
