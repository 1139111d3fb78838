#!/bin/sh
# value.sh TOLL LIB - toll run accepts --value, which warnings name: it chooses the value for formats that have only
# one, and for the summary.
. "$(dirname "$0")/support.sh"

for guest in ok.lua tiny.wasm; do
    run 0 --value calls -o calls.folded $guest
    ran $guest
    grep -q ';leaf 1$' calls.folded || fail "$guest: $(cat calls.folded)"
    grep -q '^calls: ' err || fail "$guest: summary: $(cat err)"

    run 2 --value none $guest
    never_ran "--value none, $guest"
    run 2 --value time --clock none $guest
    never_ran "--value time --clock none, $guest"
    run 2 --value inuse_space $guest
    never_ran "--value inuse_space without --heap, $guest"
    run 0 -q --heap --value alloc_space -o heap.folded $guest
done
run 2 --value ticks ok.lua
said "toll: run: this run will have no value 'ticks'; there are calls, cpu, waited, time"
run 2 --value time --clock cpu ok.lua
said "toll: run: this run will have no value 'time'; there are calls, cpu, waited"
run 2 --value cpu --clock wall ok.lua
said "toll: run: this run will have no value 'cpu'; there are calls, time"
# A value that is named has its clock.
for value in time cpu; do
    run 0 --value $value -o named.folded ok.lua
    grep -q "^$value: " err || fail "--value $value: $(cat err)"
done
run 2 --value bytes --heap tiny.wasm
said "toll: run: this run will have no value 'bytes'; there are calls, time, ticks, alloc_objects, alloc_space, inuse_objects, inuse_space"
run 0 --clock none -o none.pb.gz ok.lua
"$toll" report --json --value time none.pb.gz >out 2>&1 && fail "--clock none measured time: $(cat out)"
run 0 -o warned.folded ok.lua
for option in $(sed 's/toll report --[a-z-]*//' err | grep -o -- '--[a-z-]*'); do
    "$toll" run --help | grep -q -- " $option " || fail "a warning names $option, which toll run refuses"
done
finish
