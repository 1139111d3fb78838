. "$pages/common.sh"
needs lua5.3 luajit
make_script script.lua
sed -i 's/lua5.4/lua5.3/' script.lua
cat >worker.lua <<'S'
local function work() local x = 0 for i = 1, 100000 do x = x + i % 7 end return x end
while true do work() end
S
cat >server.lua - worker.lua <<'S'
assert(require "toll".control { socket = "toll-%p.sock", output = "toll-%p.pb.gz" })
S
LUA_CPATH="$build/lib/lua/5.3/?.so" lua5.3 server.lua >/dev/null 2>&1 &
server=$!
lua5.3 worker.lua >/dev/null 2>&1 &
worker=$!
trap 'kill $server $worker 2>/dev/null; rm -rf "$work"' EXIT
put "worker.pb.gz PID" "worker.pb.gz $worker" # no toll.control is in that one
put PID $server
put '/run/toll-*' "toll-$server"
until [ -e toll-$server.sock ]; do sleep 0.05; done
[ "$(uname -m)" = x86_64 ] || for kind in exact inside; do not_run "toll attach --$kind *" "it is there on x86-64"; done
