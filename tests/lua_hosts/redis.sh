needs redis-server redis-cli
redis-server --port 0 --unixsocket "$work/socket" --save "" >start.out 2>&1 &
pids+=($!)
until_there redis-cli -s socket ping
script="local function busy(n) local x = 0 for i = 1, n do x = x + i % 7 end return x end return busy(3e7)"
for _ in 1 2 3 4 5 6 7 8; do redis-cli -s socket eval "$script" 0; done >eval.out 2>&1 &
command=$(command_with 'redis.pb.gz' | sed "s|^toll|$toll -q|; s/--seconds 5/--seconds 2/; s/\"\$(pgrep.*)\"/${pids[0]}/")
command=${command/-q attach/attach -q}
eval "$command" || { status=$?; [ "$status" = 77 ] && skip "the process may not be read"; fail "$command: status $status"; }
"$toll" report -q redis.pb.gz | grep -q user_script:1 || fail "the script is not in it: $("$toll" report -q redis.pb.gz)"
