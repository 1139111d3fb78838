#!/bin/sh
# manual.sh LUA SOURCE TOLL - manual.lua and manual_random.lua in an interpreter of Lua 5.1 to 5.4, or
# LuaJIT; and its lines, printed by a program, as toll reads them.
set -eu
command -v "$1" >/dev/null 2>&1 || { echo "skipped: there is no $1"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$2/tests/supcom/manual_text.sh" "$2" >"$work/random.lua"
"$1" "$work/random.lua"

cp "$2/hosts/supcom/manual.lua" "$work"
cat >"$work/program.lua" <<'L'
setmetatable(_G, { __index = function(_, name) error("no global variable " .. tostring(name), 2) end }) -- as in some games
local measure = require("manual")
local now = 0
measure.clock = function() return now end
local function spend(n) now = now + n end
local think = measure.wrap(function(n) spend(n) return n end, "Unit.think")
measure.start()
for i = 1, 3 do
    local token = measure.enter("update")
    spend(0.5)
    think(0.25 * i)
    measure.leave(token)
    spend(1)
end
measure.stop()
L
cd "$work"
"$1" program.lua >lines.txt
"$3" convert -q --strict lines.txt -o time.folded
printf 'update 1500000000\nupdate;Unit.think 1500000000\n' | diff - time.folded
"$3" convert -q --strict --value calls lines.txt -o calls.folded
printf 'update 3\nupdate;Unit.think 3\n' | diff - calls.folded
