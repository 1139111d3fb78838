#!/bin/sh
# labels.sh TOLL LIB - the labels of a run: of TOLL_LABELS and --label, in the profile of each kind of guest.
. "$(dirname "$0")/support.sh"

labels() { "$toll" report --json "$1" | sed -n 's/^"labels":\(.*\),$/\1/p'; }
is() { [ "$(labels "$1")" = "$2" ] || fail "$1 of $guest: labels $(labels "$1"), not $2"; }

for guest in ok.lua tiny.wasm; do
    [ $guest = ok.lua ] && program="lua5.4 ok.lua" || program=$guest
    run 0 -q -o plain.pb.gz $program
    is plain.pb.gz '[{}]'
    run 0 -q --label commit=3f2a --label 'host=a, b' -o given.pb.gz $program
    is given.pb.gz '[{"commit":["3f2a"],"host":["a, b"]}]'
    export TOLL_LABELS='host=c, commit=1,zone=x'
    run 0 -q --label commit=2 --label commit=3 -o both.pb.gz $program
    is both.pb.gz '[{"commit":["2","3"],"host":["c"],"zone":["x"]}]'
    run 0 -q -o env.speedscope.json $program
    grep -q '"name":"main {commit=1, host=c, zone=x}' env.speedscope.json || fail "$guest: no title with labels"
    export TOLL_LABELS='host'
    run 2 -q -o no.pb.gz $program
    never_ran "TOLL_LABELS without a value, $guest"
    said "toll: run: --label, TOLL_LABELS: a label is KEY=VALUE, and not 'host'"
    export TOLL_LABELS='host'
    run 2 -q --label host=a -o no.pb.gz $program
    never_ran "TOLL_LABELS without a value beside --label, $guest"
    unset TOLL_LABELS
    run 0 -q --label commit=1 --timeline order.trace.json -o plain.pb.gz $program
    grep -q '"main {commit=1}"' order.trace.json || fail "$guest: the labels of a trace are lost"
    run 2 -q --label thread=x -o no.pb.gz $program
    never_ran "--label thread, $guest"
done
# Timelines have the labels of their run, in order of time, too.
for guest in ok.lua tiny.wasm; do
    [ $guest = ok.lua ] && program="lua5.4 ok.lua" || program=$guest
    run 0 -q --label commit=3f2a -o with.pb.gz --timeline with.toll-timeline $program
    is with.toll-timeline '[{"commit":["3f2a"]}]'
    "$toll" convert -q --label commit=2 --label host=a with.toll-timeline -o other.toll-timeline || fail "convert, $guest"
    is other.toll-timeline '[{"commit":["2"],"host":["a"]}]'
    "$toll" convert -q other.toll-timeline -o other.trace.json
    grep -q '"main {commit=2, host=a}"' other.trace.json || fail "$guest: no title in a trace"
    "$toll" report --by commit --tree with.toll-timeline | grep -q 'commit=3f2a' || fail "$guest: no root for a commit"
    run 0 -q --label commit=3f2a -o with.pb.gz --timeline with.speedscope.json $program
    grep -q '"name":"main {commit=3f2a}' with.speedscope.json || fail "$guest: no title in order of time"
    rm -f with.* other.*
done

# A module that is loaded without toll run finds them by itself.
own() { LUA_CPATH="$lib/lua/5.4/?.so" lua5.4 own.lua 2>err || fail "own.lua: $(cat err)"; }
cat >own.lua <<'S'
local toll = require "toll"
toll.start { output = "own.pb.gz", timeline = "own.toll-timeline" }
dofile "ok.lua"
toll.stop()
assert(toll.snapshot():write("snapshot.pb.gz"))
S
export TOLL_LABELS='commit=3f2a'
own >out
for file in own.pb.gz own.toll-timeline snapshot.pb.gz; do
    is $file '[{"commit":["3f2a"]}]'
done
said ""
unset TOLL_LABELS
run 0 -q --lines --label commit=3f2a -o lines.pb.gz tiny.wasm
is lines.pb.gz '[{"commit":["3f2a"]}]'

# Without toll run a wrong variable fails the start, and not the writing when all is done.
cat >start.lua <<'S'
package.cpath = arg[1] .. "/lua/5.4/?.so"
print(pcall(require("toll").start, { output = "started.pb.gz" }))
S
TOLL_LABELS=host,commit=1 lua5.4 start.lua "$lib" >out
[ "$(cat out)" = "false	toll.start: TOLL_LABELS: a label is KEY=VALUE, and not 'host'" ] || fail "toll.start: $(cat out)"
finish
