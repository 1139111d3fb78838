#!/bin/sh
# run.sh BUILD [KIND:SIZE...] - how soon pages of toll view are drawn, how smoothly they zoom and move, in how much
# memory; compared with other viewers of the same files, in one table for each KIND:SIZE. PATIENCE=120: seconds for each.
#   stacks:N   N random stacks, every node of the tree is one    (bench_page); speedscope, pprof's page,
#   leaves:N   N stacks, of which the innermost frames have times               d3-flame-graph, an SVG of all frames
#   calls:N    N events in order of time (bench_timeline); speedscope by its own format and Chrome's
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
shift
for program in node npm chromium; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ $# -gt 0 ] || set -- stacks:10000 stacks:100000 stacks:1000000 leaves:1000000 calls:100000 calls:1000000 calls:10000000
dir=$build/bench/page
mkdir -p "$dir"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/bench/page" "$dir"
cp "$source"/bench/page/*.mjs .
for what in "$@"; do
    kind=${what%:*}
    size=${what#*:}
    mkdir -p "$kind-$size"
    case $kind in
    stacks | leaves)
        "$build/bench/bench_page" "$size" "$kind-$size" "$kind" >/dev/null
        node --max-old-space-size=8000 peer_files.mjs "$kind-$size/stacks.html" "$source/src/page/web" /d3
        kind=stacks
        ;;
    calls) "$build/bench/bench_timeline" "$size" "calls-$size" >/dev/null ;;
    *) echo "stacks:N, leaves:N or calls:N, not $what"; exit 2 ;;
    esac
    node open.mjs "$kind" "${what%:*}-$size" node_modules node_modules/speedscope/dist/release
    rm -r "${what%:*}-$size"
done
