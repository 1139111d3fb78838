#!/bin/sh
# sample.sh TOLL LUA MODULES - samples: their sum is the CPU time, between two readings of os.clock; the functions that take it
# have it; what samples do not have is refused, and so is their sum with a profile of every call. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
modules=$3
. "$(dirname "$0")/begin.sh"
command -v jq >/dev/null 2>&1 || { echo "skipped: there is no jq"; exit 77; }
failed=0
fail() { echo "FAILED: $lua: $*"; failed=1; }
case $lua in luajit) version=5.1 ;; *) version=${lua#lua} ;; esac

# self FILE FUNCTION, and total FILE: the figures of a profile.
report() { "$toll" report -q --rows 0 --json "$1"; }
self() { report "$1" | jq "[.functions[] | select(.name == \"$2\") | .total] | add // 0"; }
total() { report "$1" | jq .total; }

LUA_CPATH="$modules/$version/?.so" timeout 100 "$lua" "$here/sample.lua" || fail "status $?"
read -r inner outer <clock
sum=$(total sampled.pb.gz)
[ "$sum" -ge "$inner" ] && [ "$sum" -le $((outer + 1000000)) ] || fail "the sum is $sum ns, os.clock says $inner to $outer"
[ "$sum" -eq "$(report sampled.pb.gz | jq '[.functions[].self] | add')" ] || fail "the sum is not that of its functions"
[ "$(total middle.pb.gz)" -lt "$sum" ] || fail "the snapshot has as much as the whole"
heavy=$(self sampled.pb.gz heavy) light=$(self sampled.pb.gz light)
[ "$heavy" -gt $((3 * light)) ] && [ "$heavy" -gt 100000000 ] || fail "heavy has $heavy ns, and light, a tenth of it, $light"
body=$(grep -n 'local function body' "$here/sample.lua" | cut -d: -f1)
[ "$(self sampled.pb.gz body)" -gt 40000000 ] || [ "$(self sampled.pb.gz "sample.lua:$body")" -gt 40000000 ] ||
    fail "the coroutine has less than it took"
report sampled.pb.gz | jq -e ".threads == [\"coroutine sample.lua:$body\", \"main\"]" >/dev/null || fail "threads: $(report sampled.pb.gz | jq -c .threads)"
report sampled.pb.gz | jq -e '.notes | any(.text | startswith("samples of stacks that are cut off at 200 frames"))' >/dev/null ||
    fail "no note says that deep stacks were cut off"
[ $((2 * $(self sampled.pb.gz "(frames cut off)"))) -lt "$sum" ] || fail "stacks that are not deep are cut off, too"
report sampled.pb.gz | jq -e '.comments | any(. == "sampled: every 1000000 nanoseconds of cpu")' >/dev/null || fail "no comment says that it is sampled"
"$toll" report -q sampled.pb.gz | head -1 | grep -q '^sampled_cpu: .*, 2 threads, [0-9]* samples: shares within [0-9.]* points$' || fail "the report begins: $("$toll" report -q sampled.pb.gz | head -1)"

# toll run, and what goes with it.
echo 'local function f(n) local x = 0 for i = 1, n do x = x + i % 7 end return x end f(2e7) io.write("done")' >run.lua
[ "$("$toll" run -q --sample=500 -o run.pb.gz "$lua" run.lua)" = "done" ] || fail "toll run --sample"
[ "$(self run.pb.gz f)" -gt 0 ] || fail "toll run --sample: f has nothing"
"$toll" run --sample -o run.pb.gz "$lua" run.lua 2>err >out
grep -q '^sampled 250 times a second' err || fail "the summary says: $(tail -1 err)"
"$toll" run -q --sample=10000 -o run.pb.gz "$lua" run.lua >out || fail "10,000 samples a second"
"$toll" run -q --sample=10001 "$lua" run.lua >out 2>err
[ $? -eq 2 ] && grep -q 'at most 10000 a second' err || fail "10,001 samples a second: $(cat err)"
"$toll" run -q -o exact.pb.gz "$lua" run.lua >out
"$toll" merge exact.pb.gz run.pb.gz -o sum.pb.gz 2>err && fail "exact and sampled profiles are added up"
grep -q '^toll: run.pb.gz is a profile of samples, and exact.pb.gz of every call: ' err || fail "merge says: $(cat err)"
[ ! -e sum.pb.gz ] || fail "merge has left a file"
"$toll" merge -q --mixed exact.pb.gz run.pb.gz -o sum.pb.gz || fail "merge --mixed"
"$toll" merge -q run.pb.gz run.pb.gz -o sum.pb.gz && [ "$(total sum.pb.gz)" -eq $((2 * $(total run.pb.gz))) ] || fail "the sum of two"

# Chunks that are loaded from text have the names that Lua gives them, as with every call.
cat >texts.lua <<'S'
local load = loadstring or load
for size = 42, 46 do
    for _, end_of_line in ipairs { "", "\n", "\r\n" } do
        local work = "for i = 1, ... do local x = i % 7 end" .. end_of_line
        local text = "--" .. ("y"):rep(size - 2) .. (size % 2 == 0 and "" or "\n" .. work)
        if size % 2 == 0 then text = work .. ("-"):rep(size - #work) end
        load(text)(jit and 2e7 or 4e5) -- a compiled loop takes a nanosecond a turn
    end
end
S
"$toll" run -q -o exact.pb.gz "$lua" texts.lua && "$toll" run -q --sample=4000 -o run.pb.gz "$lua" texts.lua || fail "chunks of text"
texts() { report "$1" | jq -c '[.functions[] | select(.file // "" | startswith("[string")) | .file] | unique'; }
[ "$(texts exact.pb.gz)" = "$(texts run.pb.gz)" ] || fail "chunks of text: $(texts exact.pb.gz), in samples $(texts run.pb.gz)"
for option in --heap --ticks --join-threads --clock=cpu --timeline=t.trace.json; do
    "$toll" run -q --sample $option "$lua" run.lua >out 2>err
    [ $? -eq 2 ] && grep -q "needs every call" err || fail "$option: $(cat err)"
done
if [ "$lua" = luajit ]; then
    "$toll" run -q --sample=2000 --lines -o lines.pb.gz luajit run.lua >out
    "$toll" annotate -q lines.pb.gz | grep -q ' ms  *1  local function f' || fail "lines: $("$toll" annotate -q lines.pb.gz | head -20)"
fi
exit $failed
