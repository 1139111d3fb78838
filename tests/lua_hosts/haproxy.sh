needs haproxy curl
version=$(haproxy -vv | sed -n 's/.*Lua version : Lua \(5\.[0-9]\).*/\1/p')
[ -n "$version" ] || skip "haproxy was built without Lua"
{
    echo global
    recipe haproxy.cfg | sed "s|/5.3/|/$version/|; s|/etc/haproxy/|$work/|"
    printf 'nbthread 2\ndefaults\nmode http\ntimeout client 5s\ntimeout server 5s\ntimeout connect 5s\n'
    printf 'frontend f\nbind unix@%s\nhttp-request use-service lua.fib\n' "$work/socket"
} >haproxy.cfg
{
    recipe service.lua
    echo "$fib core.register_service('fib', 'http', function(applet) local body = tostring(fib(10))
        applet:set_status(200) applet:add_header('content-length', #body) applet:start_response() applet:send(body) end)"
} >service.lua
haproxy -f haproxy.cfg -db >start.out 2>&1 &
pids+=($!)
ask() { [ "$(curl -s --unix-socket socket http://host/)" = 55 ]; }
until_there ask
kill -WINCH "${pids[0]}"
sleep 0.3
for _ in $(seq 20); do ask || fail "a request"; done
kill -WINCH "${pids[0]}"
sleep 0.3
for _ in $(seq 20); do ask || fail "a request"; done
files=(haproxy-"${pids[0]}"*.pb.gz)
"$toll" merge -q "${files[@]}" -o all.pb.gz || fail "there are no profiles: $(cat start.out)"
expect all.pb.gz fib $((20 * 177))
