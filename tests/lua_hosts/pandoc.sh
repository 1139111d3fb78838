needs pandoc
{ recipe filter.lua; echo "$fib"; echo "function Str(s) return pandoc.Str(tostring(fib(10))) end"; } >filter.lua
echo "one two" >text.md
pandoc -L filter.lua text.md -o text.html 2>start.out || fail "$(cat start.out)"
grep -q '55 55' text.html || fail "the filter was not run: $(cat text.html)"
expect pandoc.pb.gz fib $((2 * 177))
