#!/bin/sh
# killed.sh TOLL LUA MODULES - the timeline of a killed program is complete. The script prints the number of its calls
# after each one; the timeline must have as many calls as the last printed number says. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
modules=$3 # lib/lua/5.X/toll.so are under it
command -v "$lua" >/dev/null 2>&1 || { echo "skipped: there is no $lua"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $lua: $*"
    failed=1
}

cat >work.lua <<'S'
local stat = io.open("/proc/self/stat")
local pid = stat:read("*l"):match("%d+")
local function step(n) return n + 1 end
local other = coroutine.wrap(function() while true do step(1) coroutine.yield() end end)
local n = 0
for round = 1, 20000 do
    n = step(n)
    other()
end
io.stdout:write(pid, " ", n, "\n")
io.stdout:flush()
while true do
    n = step(n)
    other()
    if n == 60000 then
        os.execute("kill -9 " .. pid)
    end
end
S
"$toll" run -q -o p.pb.gz --timeline run.toll-timeline "$lua" work.lua >out 2>err
status=$?
[ $status = 137 ] || fail "exit status $status: $(cat err)"
[ ! -e p.pb.gz ] || fail "there is a profile"
"$toll" report -q --value calls run.toll-timeline >report 2>err || fail "it is not read: $(cat err)"
calls=$(awk '$NF ~ /work.lua:3$/ { gsub(",", "", $5); print $5 }' report)
[ "$calls" = 120000 ] || fail "120000 steps were made, the timeline has '$calls': $(cat report)"
"$toll" report run.toll-timeline 2>&1 | grep -q 'timelines without an end' || fail "nothing says that it was cut: $("$toll" report run.toll-timeline 2>&1)"
"$toll" report --strict run.toll-timeline >out 2>err && fail "--strict reads it"
grep -q 'the timeline has no end' err || fail "--strict says: $(cat err)"
for name in k.trace.json k.speedscope.json k.toll-timeline k.pb.gz; do
    "$toll" convert -q run.toll-timeline -o $name 2>err && "$toll" check $name >out 2>&1 || fail "$name: $(cat err out)"
done
"$toll" convert -q --flamechart run.toll-timeline -o k.folded 2>err || fail "k.folded: $(cat err)"
[ "$(grep -c ';step ' k.folded)" = 120000 ] || fail "k.folded has $(grep -c ';step ' k.folded) steps"

# Not killed: what the timeline has is what the profile has, but for what was spent outside of any function.
cat >whole.lua <<'S'
local function step(n) if n > 0 then return n + step(n - 1) end return 0 end
local co = coroutine.wrap(function() while true do step(3) coroutine.yield() end end)
for i = 1, 3000 do step(i % 7) if i % 3 == 0 then co() end end
S
for clock in wall none; do
    for more in "" --ticks; do
        # shellcheck disable=SC2086 # no word, or one
        "$toll" run -q --clock $clock $more -o p.pb.gz --timeline run.toll-timeline "$lua" whole.lua 2>err || fail "$clock $more: $(cat err)"
        for value in calls time ticks; do
            "$toll" convert -q --value $value p.pb.gz -o p.folded 2>/dev/null || continue
            "$toll" convert -q --value $value run.toll-timeline -o t.folded 2>err || { [ $value = calls ] && fail "$(cat err)"; continue; }
            grep -v '^(outside)' p.folded >p.stacks
            grep -v '^(outside)' t.folded >t.stacks
            cmp -s p.stacks t.stacks || fail "$clock $more, $value: the timeline has other stacks: $(diff p.stacks t.stacks)"
        done
        "$toll" report --strict run.toll-timeline >out 2>err || fail "$clock $more: $(cat err)"
        "$toll" report -q --json p.pb.gz | grep '^"columns"' >p.columns
        "$toll" report -q --json run.toll-timeline | grep '^"columns"' >t.columns
        cmp -s p.columns t.columns || fail "$clock $more: the timeline has other columns: $(cat p.columns t.columns)"
    done
done
exit $failed
