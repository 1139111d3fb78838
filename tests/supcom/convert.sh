#!/bin/sh
# convert.sh TOLL SOURCE DIR - the logs that games in Lua 5.0 left in DIR, as `toll convert` reads them,
# are what the games' own accounts say: the same stacks, the same times to the last nanosecond.
set -eu
toll=$1
cd "$3"
done=0
for log in [0-9]*.log; do
    seed=${log%.log}
    "$toll" convert -q --strict --no-call-lines "$log" -o "$seed.folded"
    # f12 of the account is program:12(NAME); the engine's functions and C's go by their names.
    sed -E 's/program:([0-9]+)(\([^)]*\))?/f\1/g; s/game\.lua:[0-9]+\(([^)]*)\)/\1/g' "$seed.folded" |
        awk '{ t[$1] += $2 } END { for (s in t) print s, t[s] / 15625000 }' | LC_ALL=C sort >"$seed.read"
    LC_ALL=C sort "$seed.account" | cmp - "$seed.read" || { diff "$seed.account" "$seed.read" | head; exit 1; }
    "$toll" check -q "$log"
    done=$((done + 1))
done
[ $done -gt 0 ] || { echo "there are no logs"; exit 1; }
echo "$done logs"
