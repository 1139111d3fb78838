#!/bin/sh
# reproducible.sh TOLL LIB - two equal runs without a clock make the same file, byte for byte, if SOURCE_DATE_EPOCH says
# when they began. A value that is no time is refused before the program runs.
. "$(dirname "$0")/support.sh"

# same NAME OPTIONS...: toll run makes the same file of NAME twice.
same() {
    guest=$1
    shift
    for i in 1 2; do
        SOURCE_DATE_EPOCH=1700000000 "$toll" run -q --clock none "$@" -o "$i.pb.gz" "$guest" >/dev/null || fail "$guest $*: it did not run"
        sleep 0.01 # the clocks of the two runs differ in any case
    done
    cmp 1.pb.gz 2.pb.gz || fail "$guest $*: the files of two runs differ"
}
cat >coroutines.lua <<'S2'
local function sum(n) local s = 0 for i = 1, n do s = s + #tostring(i) end return s end
local steps = coroutine.wrap(function() for i = 1, 10 do coroutine.yield(sum(i)) end end)
for _ = 1, 10 do steps() end
pcall(error, "no")
S2
same ok.lua
same coroutines.lua --ticks
same coroutines.lua --heap
same coroutines.lua --lines --ticks
same tiny.wasm
same tiny.wasm --lines
same tiny.wasm --call-kinds
same tiny.wasm --heap

# The time is that of the variable, and no time has passed.
cat >time.pl <<'S2'
local $/;
my ($all) = <STDIN>;
my %is;
while ($all =~ /\G(.)/gcs) { # each field of a pprof file
    my ($key, $value, $shift) = (ord $1, 0, 0);
    while ($all =~ /\G(.)/gcs) { $value |= (ord($1) & 127) << $shift; $shift += 7; last if ord($1) < 128; }
    if (($key & 7) == 2) { pos($all) += $value; } else { $is{$key >> 3} = $value; }
}
printf "%s %s\n", $is{9} // "none", $is{10} // "none";
S2
[ "$(gunzip -c 1.pb.gz | perl time.pl)" = "1700000000000000000 none" ] || fail "times: $(gunzip -c 1.pb.gz | perl time.pl)"
"$toll" run -q --clock none -o now.pb.gz tiny.wasm >/dev/null
began=$(gunzip -c now.pb.gz | perl time.pl)
[ "$(printf %.10s "$began")" -gt 1700000000 ] || fail "without the variable the time is $began"

for wrong in now 1.5 -1 9223372037; do
    for guest in ok.lua tiny.wasm; do
        SOURCE_DATE_EPOCH=$wrong run 2 -o none.pb.gz "$guest"
        never_ran "SOURCE_DATE_EPOCH=$wrong"
        said "toll: run: SOURCE_DATE_EPOCH=$wrong: it has to be a whole number of seconds since 1970, up to 9223372036, such as the output of date +%s"
    done
done
SOURCE_DATE_EPOCH='' run 0 -q -o empty.pb.gz ok.lua
finish
