#!/bin/sh
# moved.sh TOLL HOST MODULE - a Lua state moves to another OS thread (moved.c), with each clock: its profiles are valid,
# contain all calls, and no clock has run backwards.
set -u
toll=$1
host=$2
export LUA_CPATH="$3"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
for clock in wall cpu none; do
    rm -f ./*.pb.gz
    "$host" $clock || { echo "FAILED: $clock: $host"; failed=1; }
    for expected in a:200 b:300 c:400 d:400 e:100; do
        file=${expected%:*}.pb.gz
        "$toll" check "$file" >out 2>&1 || { echo "FAILED: $clock: $(cat out)"; failed=1; }
        "$toll" report --json "$file" >json
        calls=$(sed -n 's/.*"name":"math.floor".*"calls":\([0-9]*\).*/\1/p' json)
        [ "$calls" = "${expected#*:}" ] || { echo "FAILED: $clock: $file: $calls calls"; failed=1; }
        grep 'wrong direction' json && { echo "FAILED: $clock: $file: a clock went backwards"; failed=1; }
    done
done
exit $failed
