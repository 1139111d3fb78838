needs nmap
{
    echo "description = 'fib' categories = { 'safe' } prerule = function() return true end"
    echo "$fib"
    echo "local function scan() return fib(10) end"
    recipe script.nse
} >script.nse
nmap --datadir /usr/share/nmap --script ./script.nse -sn 127.0.0.1 >start.out 2>&1 || fail "$(cat start.out)"
grep -q ': 55' start.out || fail "the script was not run: $(cat start.out)"
expect nmap.pb.gz fib 177
