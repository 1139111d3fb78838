#!/bin/sh
# clock.sh TOLL LIB - if the time of a WebAssembly module is measured, the end of the summary says how much of it the
# clock itself has taken, and a note in the profile does too; otherwise nothing is said.
. "$(dirname "$0")/support.sh"

said_last='^about [0-9]*% of the time measured is the clock itself: [0-9,]* readings of [0-9]* ns'
noted='nanoseconds of the time, about, that reading the clock took'

run 0 tiny.wasm
tail -n 1 err | grep -q "$said_last; --clock none counts ticks alone$" || fail "last was said: $(tail -n 1 err)"
readings=$(tail -n 1 err | sed 's/.*itself: \([0-9]*\) readings.*/\1/')
[ "$readings" -gt 12 ] && [ "$readings" -lt 100 ] || fail "$readings readings" # two for each of 6 calls, and the steps between
"$toll" report toll.pb.gz | grep -q "^note: $noted: [0-9,]*$" || fail "the profile has no note: $("$toll" report toll.pb.gz)"

run 0 --no-ticks tiny.wasm
tail -n 1 err | grep -q "$said_last$" || fail "--no-ticks: last was said: $(tail -n 1 err)"

run 0 -q tiny.wasm
said ""
run 0 --clock none tiny.wasm
grep 'clock' err && fail "--clock none: $(cat err)"
"$toll" report toll.pb.gz | grep "$noted" && fail "--clock none: a note"
finish
