# toll attach --exact in programs that were not prepared: HAProxy with two threads, each with a Lua state, as another user in an
# empty root folder; and Tarantool with fibers.
needs haproxy curl
export TOLL_LUA_DIR=$modules
mkdir jail
cat >haproxy.cfg <<P
global
nbthread 2
chroot $work/jail
user nobody
lua-load-per-thread $work/service.lua
defaults
mode http
timeout client 5s
timeout server 5s
timeout connect 5s
frontend f
bind unix@$work/socket
http-request use-service lua.fib
P
echo "$fib core.register_service('fib', 'http', function(applet) local body = tostring(fib(10))
    applet:set_status(200) applet:add_header('content-length', #body) applet:start_response() applet:send(body) end)" >service.lua
haproxy -f haproxy.cfg -db >start.out 2>&1 &
pids+=($!)
ask() { [ "$(curl -s --unix-socket socket http://host/)" = 55 ]; }
ask_all() { for _ in $(seq 20); do ask || return 1; done; }
# record PID SECONDS: 20 requests are made meanwhile.
record() {
    rm -f exact.pb.gz attach.out
    "$toll" attach --exact --seconds "$2" -o exact.pb.gz "$1" >attach.out 2>&1 &
    local attach=$!
    until_there grep -q recording attach.out
    ask_all || fail "a request"
    wait $attach || fail "$(cat attach.out)"
    expect exact.pb.gz fib $((20 * 177))
}
until_there ask
record "${pids[0]}" 5
record "${pids[0]}" 5
for _ in $(seq 20); do # killed at any moment, while there are requests
    "$toll" attach -q --exact --seconds 1 -o killed.pb.gz "${pids[0]}" >attach.out 2>&1 &
    attach=$!
    sleep "0.0$((RANDOM % 100))"
    ask || fail "a request while it is attached"
    kill -9 $attach 2>/dev/null
    wait $attach 2>/dev/null
    ask || fail "a request after a kill"
done
[ -z "$(ls -A jail)" ] || fail "there is a file in its root folder: $(ls -A jail)"
# Where toll was killed, the process writes what it has recorded; there is no /tmp in its root folder.
grep -v '^toll: the profiles cannot be written to /tmp: No such file or directory$' start.out >said &&
    fail "HAProxy says: $(cat said)"
needs tarantool
{
    echo "box.cfg { listen = '$work/box', log_level = 1, memtx_memory = 33554432 }"
    echo "$fib"
    echo "function handle(n) require 'fiber'.sleep(0.01) return fib(n) end"
    echo "box.schema.user.grant('guest', 'super', nil, nil, { if_not_exists = true })"
} >init.lua
cat >client.lua <<'L'
local connection = require "net.box".connect("unix/:" .. arg[1])
for _ = 1, tonumber(arg[2]) do
    local works, result = pcall(connection.call, connection, "handle", { 10 })
    if not works or result ~= 55 then os.exit(1) end
end
os.exit(0)
L
tarantool init.lua >start.out 2>&1 &
pids+=($!)
ask() { tarantool client.lua "$work/box" 1; }
ask_all() { tarantool client.lua "$work/box" 20; }
until_there ask
record "${pids[1]}" 4
