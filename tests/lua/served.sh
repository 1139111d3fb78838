#!/bin/sh
# served.sh TOLL HOST - toll attach on a server (served.c) whose C code resumes a coroutine for each request, in two threads with
# a Lua state each: the functions of both are seen, below the one that the coroutine began with.
set -u
toll=$1
host=$2
command -v jq >/dev/null 2>&1 || { echo "skipped: there is no jq"; exit 77; }
work=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkfifo input
"$host" <input >ready &
pid=$!
exec 3>input
while ! [ -s ready ]; do
    kill -0 "$pid" || { echo "FAILED: the server does not begin"; exit 1; }
    sleep 0.05
done
"$toll" attach -q --seconds 1 --hz 500 -o served.pb.gz "$pid" || { echo "FAILED: status $?"; exit 1; }
"$toll" report -q --rows 0 --json served.pb.gz >report
failed=0
lines=$(jq -c '[.functions[] | select(.file == "served.lua" and .total > 0) | .line] | sort' report)
[ "$lines" = "[1,2,3,4]" ] || { echo "FAILED: the functions of the lines $lines were seen: $(cat report)"; failed=1; }
jq -e '.threads | any(startswith("coroutine "))' report >/dev/null || { echo "FAILED: threads: $(jq -c .threads report)"; failed=1; }
exit $failed
