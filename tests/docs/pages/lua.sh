. "$pages/common.sh"
needs lua5.3 luajit
make_script script.lua
sed -i 's/lua5.4/lua5.3/' script.lua
cat >server.lua <<'S'
assert(require "toll".control { signal = "USR2", output = "toll-%p.pb.gz" })
local function work() local x = 0 for i = 1, 100000 do x = x + i % 7 end return x end
while true do work() end
S
LUA_CPATH="$build/lib/lua/5.3/?.so" lua5.3 server.lua >/dev/null 2>&1 &
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
server=$!
put PID $server
