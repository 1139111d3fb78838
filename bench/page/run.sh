#!/bin/sh
# run.sh BUILD [STACKS...] - how soon the page of a profile is drawn, how smoothly it zooms, in how much memory; beside
# speedscope and pprof's flame graph (go tool pprof -http) with the same stacks. The profiles are those of bench_page.
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
shift
for program in node npm chromium; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ $# -gt 0 ] || set -- 10000 100000 1000000
dir=$build/bench/page
mkdir -p "$dir/speedscope"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/page" "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/browser" "$dir/speedscope"
cp "$source/bench/page/open.mjs" .
for stacks in "$@"; do
    mkdir -p "$stacks"
    "$build/bench/bench_page" "$stacks" "$stacks" >/dev/null
    node open.mjs "$stacks"
done
