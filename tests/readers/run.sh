#!/bin/sh
# run.sh READER TOLL DIR - runs READER.mjs, if what it needs is there.
set -eu
needs=node
case $1 in
pprof) needs="node go" ;;
callgrind) needs="node callgrind_annotate" ;;
lines) needs="node go callgrind_annotate" ;;
speedscope) needs="node chromium" ;;
esac
for program in $needs; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
cd "$3"
exec node "$1.mjs" "$2"
