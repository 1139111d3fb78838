#!/bin/sh
# timeline.sh TOLL LIB - the order in time, also compressed, for every kind of guest.
. "$(dirname "$0")/support.sh"

for guest in ok.lua tiny.wasm; do
    for name in t.trace.json t.speedscope.json; do
        run 0 -q -o p.pb.gz --timeline $name $guest
        run 0 -q -o p.pb.gz --timeline $name.gz $guest
        gzip -t $name.gz 2>err || fail "$name.gz of $guest is not compressed: $(cat err)"
        for file in $name $name.gz; do
            "$toll" check $file >out 2>&1 || fail "$file of $guest: $(cat out)"
            "$toll" convert -q --value calls $file -o t.folded 2>err
            grep -q ';leaf 1$' t.folded || fail "$file of $guest: $(cat err t.folded)"
            rm -f $file t.folded
        done
    done
    for name in p.folded.gz p.speedscope.json.gz; do
        run 0 -q -o $name $guest
        gzip -t $name 2>err || fail "$name of $guest is not compressed: $(cat err)"
        "$toll" check $name >out 2>&1 || fail "$name of $guest: $(cat out)"
    done
    run 0 -q -o plain.pb $guest
    gzip -t plain.pb 2>err && fail "plain.pb of $guest is compressed"
done
run 0 -q --flamechart -o order.folded.gz tiny.wasm
gzip -dc order.folded.gz | grep -q ';leaf ' || fail "order.folded.gz: $(gzip -dc order.folded.gz)"

# A timeline of Toll's own is a file while the program runs; a device cannot be that.
for guest in ok.lua tiny.wasm; do
    for name in t.toll-timeline t.toll-timeline.gz; do
        run 0 -q -o p.pb.gz --timeline $name $guest
        "$toll" check $name >out 2>&1 || fail "$name of $guest: $(cat out)"
        "$toll" convert -q --value calls $name -o t.folded 2>err
        grep -q ';leaf 1$' t.folded || fail "$name of $guest: $(cat err t.folded)"
        rm -f $name t.folded
    done
done
ln -s /dev/null null.toll-timeline
run 1 -o p.pb.gz --timeline null.toll-timeline ok.lua
never_ran null.toll-timeline
said "toll: null.toll-timeline: is no file: a timeline grows while the program runs; name a file with --timeline"

# One file cannot hold both, whatever it is called.
mkdir sub
ln -s one.speedscope.json link.speedscope.json
for name in ./one.speedscope.json sub/../one.speedscope.json; do
    run 2 -o one.speedscope.json --timeline $name ok.lua
    never_ran $name
    said "toll: run: the profile and --timeline are one file"
done
cp ok.lua one.speedscope.json
run 2 -o one.speedscope.json --timeline link.speedscope.json tiny.wasm
said "toll: run: the profile and --timeline are one file"
run 0 -q -o one.speedscope.json --timeline sub/one.speedscope.json ok.lua

# Where time is recorded, too, there are ticks: in a flame chart those that --value names, in a trace with each call.
run 0 -q --flamechart --value ticks -o ticks.folded tiny.wasm
run 0 -q --flamechart --value ticks --clock none -o alone.folded tiny.wasm
[ -s ticks.folded ] && cmp -s ticks.folded alone.folded || fail "ticks beside time: $(cat ticks.folded), alone: $(cat alone.folded)"
run 0 -q --value ticks --timeline ticks.speedscope.json tiny.wasm
grep -q '"name":"main: ticks","unit":"none"' ticks.speedscope.json || fail "ticks.speedscope.json: $(cat ticks.speedscope.json)"
run 0 -q --timeline both.trace.json tiny.wasm
grep -q '"name":"leaf","args":{"ticks":1}}' both.trace.json || fail "tiny.wasm: both.trace.json: $(cat both.trace.json)"
run 0 -q --ticks --timeline both.trace.json ok.lua
grep -q '"name":"leaf","args":{"ticks":[1-9][0-9]*}}' both.trace.json || fail "ok.lua: both.trace.json: $(cat both.trace.json)"
finish
