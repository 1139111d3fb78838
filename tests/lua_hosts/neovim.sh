needs nvim
echo "$fib fib(10)" >work.lua
command=$(command_with 'nvim --cmd')
[ -n "$command" ] || fail "the page has no command"
eval "${command/nvim /nvim --headless -u NONE } " >start.out 2>&1 || fail "$(cat start.out)"
[ -s nvim.pb.gz ] || fail "no profile of a start: $(cat start.out)"
rm nvim.pb.gz
command=${command%+qa}
eval "${command/nvim /nvim --headless -u NONE } -c 'luafile work.lua' +qa" >start.out 2>&1 || fail "$(cat start.out)"
expect nvim.pb.gz fib 177
