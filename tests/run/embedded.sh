#!/bin/sh
# embedded.sh TOLL LIB - a program contains a Lua that does not read LUA_INIT: toll run says so, and the lines that it
# prints profile a script in that program.
guests=lua
. "$(dirname "$0")/support.sh"

flags=$(pkg-config --cflags --libs lua5.4 2>/dev/null) || skip "there is no lua5.4 to link with"
# shellcheck disable=SC2086
cc "$here/embeds.c" -o embeds $flags || exit 1

cat >work.lua <<'S'
local function leaf() return 1 end
for _ = 1, 7 do leaf() end
S
run 1 -o "$work/p.pb.gz" ./embeds work.lua
grep -q '^toll: no profile was written: ./embeds did not load the profiler: .* LUA_INIT' err || fail "said '$(cat err)'"
sed -n '/^$/q; /^    /p' err >before
sed '1,/^$/d' err >after
[ -s before ] && [ -s after ] || fail "no lines were said: $(cat err)"
cat before work.lua after >lines.lua
./embeds lines.lua >out 2>&1 || fail "the lines do not run: $(cat out)"
"$toll" report --json p.pb.gz >out 2>&1
grep -q '"name":"leaf".*"calls":7' out || fail "the lines do not profile: $(cat out)"

# Interpreters that do not read LUA_INIT.
run 1 lua5.4 -E ok.lua
ran "lua5.4 -E"
grep -q 'unless run with -E$' err || fail "-E: said '$(cat err)'"

# A profiler that cannot be loaded gives one message.
mkdir -p none/5.4
echo 'no library' >none/5.4/toll.so
TOLL_LUA_DIR=$work/none run 1 ok.lua
never_ran "no profiler"
[ "$(wc -l <err)" = 1 ] && grep -q '^toll: cannot load the profiler: ' err || fail "no profiler: said '$(cat err)'"
finish
