needs luatex
{
    recipe document.tex
    echo "\\directlua{ $fib fib(10) }"
    echo "\\end"
} >document.tex
luatex --shell-escape --interaction=batchmode document.tex >start.out 2>&1 || fail "$(cat start.out document.log)"
expect luatex.pb.gz fib 177
