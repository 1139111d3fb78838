# nginx with its module for Lua: an installed one, or Debian's packages, unpacked, since to install them removes LuaJIT's own.
needs curl
root=
if ! command -v nginx >/dev/null 2>&1; then
    root=$work/root
    mkdir packages "$root"
    for name in nginx nginx-light libnginx-mod-http-lua libnginx-mod-http-ndk libluajit2-5.1-2 lua-resty-core lua-resty-lrucache; do
        (cd packages && apt-get download "$name" >../apt.out 2>&1) || skip "there is no nginx, and its packages cannot be fetched: $(tail -1 apt.out)"
    done
    for package in packages/*.deb; do dpkg -x "$package" "$root"; done
    export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu
fi
# config USER [COMMAND]: what the command prints is part of it.
config() {
    echo "load_module $root/usr/lib/nginx/modules/ndk_http_module.so;"
    echo "load_module $root/usr/lib/nginx/modules/ngx_http_lua_module.so;"
    [ "$(id -u)" != 0 ] || echo "user $1;"
    echo "worker_processes 1; pid nginx.pid; error_log error.out; daemon off; events { } http { access_log off;"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $kind;"; done
    echo "lua_package_path '$root/usr/share/lua/5.1/?.lua;;';"
    shift
    "$@"
    echo "server { listen unix:$work/socket; location / { content_by_lua_block { $fib ngx.say(fib(10)) } } } }"
}
config root recipe nginx.conf >nginx.conf
[ -e "$root/usr/lib/nginx/modules/ngx_http_lua_module.so" ] || skip "nginx has no module for Lua"
"${root:+$root/usr/sbin/}nginx" -p "$work" -c "$work/nginx.conf" -e "$work/error.out" 2>start.out &
pids+=($!)
ask() { [ "$(curl -s --unix-socket socket http://host/)" = 55 ]; }
until_there ask
worker=$(pgrep -P "$(cat nginx.pid)")
"$toll" control on nginx-*.sock | grep -q "^process $worker: state 1: not recording; will begin" || fail "toll control on"
for _ in 1 2 3; do ask || fail "a request"; done
"$toll" control off nginx-*.sock | grep -q "^process $worker: state 1: recording, .*; will end" || fail "toll control off"
ask || fail "a request"
"$toll" control status nginx-*.sock | grep -q "^process $worker: state 1: not recording; written: $work/nginx-$worker.pb.gz$" ||
    fail "toll control status"
until_there test -s "nginx-$worker.pb.gz"
expect "nginx-$worker.pb.gz" fib $((3 * 177))
# A worker that was not prepared is another user's, and may not be traced by that user.
if [ "$(id -u)" != 0 ] || [ "$(uname -m)" != x86_64 ]; then
    echo "not tried: toll attach, which needs root for that, and x86-64"
else
    kill "$(cat nginx.pid)"
    until_there test ! -e nginx.pid
    rm -f socket
    config "nobody nogroup" >nginx.conf
    "${root:+$root/usr/sbin/}nginx" -p "$work" -c "$work/nginx.conf" -e "$work/error.out" 2>start.out &
    pids+=($!)
    until_there ask
    TOLL_LUA_DIR=$modules "$toll" attach --exact --seconds 3 -o worker.pb.gz "$(pgrep -P "$(cat nginx.pid)")" >attach.out 2>&1 &
    attach=$!
    until_there grep -q recording attach.out
    for _ in 1 2 3 4; do ask || fail "a request"; done
    wait $attach || fail "$(cat attach.out)"
    expect worker.pb.gz fib $((4 * 177))
    rm attach.out
    TOLL_LUA_DIR=$modules "$toll" attach --inside --seconds 3 --hz 1000 -o inside.pb.gz "$(pgrep -P "$(cat nginx.pid)")" >attach.out 2>&1 &
    attach=$!
    until_there grep -q recording attach.out
    while kill -0 $attach 2>/dev/null; do ask || fail "a request"; done
    wait $attach || fail "$(cat attach.out)"
    "$toll" report -q --rows 0 --json inside.pb.gz | jq -e '[.functions[] | .file // ""] | any(startswith("content_by_lua"))' >/dev/null ||
        fail "no samples of the handler: $("$toll" report -q inside.pb.gz)"
fi
