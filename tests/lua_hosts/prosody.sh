needs prosody python3
version=$(sed -n '1s/.*lua\(5\.[0-9]\).*/\1/p' "$(command -v prosody)")
[ -n "$version" ] || skip "$(command -v prosody) does not say which Lua it uses"
mkdir plugins data
recipe mod_toll.lua | sed "s|/5.4/|/$version/|" >plugins/mod_toll.lua
cat >prosody.cfg.lua <<P
daemonize = false
run_as_root = true
data_path = "$work/data"
log = { info = "*console" }
modules_enabled = { "toll" }
plugin_paths = { "$work/plugins" }
c2s_ports = { 52299 } s2s_ports = { } c2s_interfaces = { "127.0.0.1" }
VirtualHost "localhost"
P
prosody --config "$work/prosody.cfg.lua" >start.out 2>&1 &
pids+=($!)
connect() { python3 -c 'import socket
for _ in range(3):
    s = socket.create_connection(("127.0.0.1", 52299))
    s.sendall(b"<?xml version=\"1.0\"?><stream:stream to=\"localhost\" xmlns=\"jabber:client\" xmlns:stream=\"http://etherx.jabber.org/streams\" version=\"1.0\">")
    assert s.recv(4096)
    s.close()'; }
until_there connect
kill -WINCH "${pids[0]}"
connect
kill -WINCH "${pids[0]}"
connect
until_there test -s "prosody-${pids[0]}.pb.gz"
[ "$("$toll" report -q --rows 0 --json --value calls "prosody-${pids[0]}.pb.gz" | jq .total)" -gt 100 ] ||
    fail "few calls: $("$toll" report -q "prosody-${pids[0]}.pb.gz")"
