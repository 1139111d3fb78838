needs mpv
case $(ldd "$(command -v mpv)") in
*luajit* | *lua5.1*) version=5.1 ;;
*lua5.2*) version=5.2 ;;
*) skip "$(command -v mpv) was built without Lua" ;;
esac
{
    recipe script.lua | sed "s|/5.2/|/$version/|"
    echo "$fib"
    echo "mp.add_timeout(0.1, function() fib(10) mp.command('quit') end)"
} >script.lua
mpv --no-config --idle --vo=null --ao=null --script=script.lua >start.out 2>&1 || fail "$(cat start.out)"
expect mpv.pb.gz fib 177
