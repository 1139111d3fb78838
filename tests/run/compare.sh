#!/bin/sh
# compare.sh TOLL LIB - toll compare runs two programs in turns, of each kind that it knows: exact values exactly, others
# by a test; a run that fails, and a signal, end it with no file left.
. "$(dirname "$0")/support.sh"

# compare STATUS ARGUMENTS...: toll compare, whose words go to the files out and err.
mkdir tmp
compare() {
    expected=$1
    shift
    TMPDIR=$work/tmp "$toll" compare "$@" >out 2>err
    status=$?
    [ $status = "$expected" ] || fail "toll compare $*: exit status $status, not $expected: $(cat out err)"
    [ -z "$(ls tmp)" ] || fail "toll compare $*: files are left: $(find tmp)"
}
has() { grep -q -- "$2" "$1" || fail "no '$2' in: $(cat "$1")"; }
lacks() { ! grep -q -- "$2" "$1" || fail "there is '$2' in: $(cat "$1")"; }

# What toll run runs, with its options: one call and some instructions more.
sed 's/^leaf()/leaf() leaf()/' ok.lua >more.lua
compare 0 --runs 4 --ticks --heap -- ok.lua -- more.lua 5
has out '^A: ok.lua$'
has out '^B: more.lua 5$'
has out '^wall time .* 4+4$'
has out '^CPU time '
has out '^calls  *\([0-9]*\)  *[0-9]*  *+1 (+[0-9.]*%) *exact  4+4$'
has out '^ticks .*exact  4+4$'
has out '^alloc_space '
has out 'cpu of functions (self), \|time of functions (self), '
has out '  leaf  *more.lua:2$'
has out '^note: A and B ran under toll run'
[ "$(grep -c '^ran$' err)" = 10 ] || fail "10 runs printed '$(cat err)'"
compare 0 -q --runs 2 --warmup 0 --clock none -- lua5.4 ok.lua -- tiny.wasm
has out '^calls .*exact  2+2$'
lacks out 'of functions'
has out 'note: too few runs: p cannot be below 0.333'
[ ! -s err ] || fail "-q says $(cat err)"

lacks out 'interpreter'

# Another interpreter counts other instructions.
if [ -f "$lib/lua/5.3/toll.so" ] && command -v lua5.3 >/dev/null; then
    compare 0 -q --runs 2 --warmup 0 --ticks -- lua5.3 ok.lua -- lua5.4 ok.lua
    has out '^note: interpreter: A is of Lua 5.3.[0-9], B of Lua 5.4.[0-9]: exact values may differ for that alone'
fi

# Each value of an option that may be given several times.
compare 1 --runs 2 --dir . --dir no/such -- tiny.wasm -- tiny.wasm
has err "no folder 'no/such'"

# Profiles are kept, to be looked at.
compare 0 --runs 2 -o kept --ticks -- ok.lua -- true
[ "$(ls kept | tr '\n' ' ')" = "a-0001.pb.gz a-0002.pb.gz " ] || fail "kept: $(ls kept)"
"$toll" diff --fail-over 0% --value ticks kept/a-0001.pb.gz kept/a-0002.pb.gz >out || fail "they differ: $(cat out)"
compare 0 --runs 2 --warmup 0 -o kept -- ok.lua -- ok.lua
[ "$(ls kept | wc -l)" = 4 ] || fail "kept: $(ls kept)"
compare 1 -o ok.lua -- ok.lua -- ok.lua
compare 1 -o no/such/folder -- ok.lua -- ok.lua
has err 'no/such/folder: cannot make the folder'

# A process without a profiler, a script by its interpreter.
compare 0 --runs 2 --no-profile -- ok.lua -- lua5.4 ok.lua
lacks out calls
lacks out 'ran under'
has out '^CPU time  *[0-9.]* [mµ]\?s  *[0-9.]* [mµ]\?s '
compare 2 --no-profile -- tiny.wasm -- ok.lua
has err 'what runs tiny.wasm'

# Any command: {}, TOLL_OUT, or no profile at all.
compare 0 --runs 2 -- sh -c 'echo "f;g 5" >{}' -- sh -c '[ "$TOLL_RUN" ] && echo "f;g 6" >"$TOLL_OUT"'
has out '^samples  *5  *6  *+1 (+20.00%)  *exact  2+2$'
compare 0 --runs 2 -- true -- sh -c 'echo "f;g 5" >{}'
has out '^samples  *5  *only B  *0+2$'
TOLL_OUT=$work/outer compare 0 --runs 2 --no-profile -- sh -c '[ -z "${TOLL_OUT+set}" ]' -- true
compare 0 --runs 2 -- sh -c 'echo "f 5" >{}' -- sh -c 'echo "f 5" >{}'
has out '^samples  *5  *5  *same  *exact'

# Order: warm-up, then A B B A; and the input is read by each.
echo text >input
order='read line && echo "$0 $line" >>order'
compare 0 --runs 3 --warmup 1 --input input -- sh -c "$order" A -- sh -c "$order" B
[ "$(sed 's/ text$//' order | tr '\n' ' ')" = "A B A B B A A B " ] || fail "order: $(cat order)"
compare 1 --input nosuch -- true -- true
has err 'nosuch: No such file'
compare 0 --runs 2 -- sh -c '! read line' -- true

# A value that differs from run to run has a test, and a clear difference a small p.
count='n=$(cat $0); echo $((n + 1)) >$0; echo "f $((n * 3 % 7 + $1))" >{}'
echo 1 >a && echo 1 >b
compare 0 --runs 12 --warmup 0 --json -- sh -c "$count" a 100 -- sh -c "$count" b 200
has out '{"value":"samples","of":"profile","unit":"count","exact":false,"a":{"median":103,"low":'
has out '"runs":\[103,106,102,105,101,104,100,103,106,102,105,101\]},"b":'
has out '"differs":true,"p":0.000001,"ratio":0.50'
compare 0 --runs 4 --markdown -- true -- true
has out '^| value | A | B | change | p | n |$'
has out '^| <code>wall time</code> | '
GITHUB_STEP_SUMMARY=$work/summary compare 0 --runs 2 --summary -- true -- true
has summary '^| <code>CPU time</code> | '

# What is not compared.
compare 1 -- true -- sh -c 'exit 4'
has err '^toll: warm-up run 1 of B ended with exit status 4; only runs that succeed are compared$'
compare 1 -- ./nosuch -- true
compare 1 --warmup 0 -- true -- sh -c 'kill -9 $$'
has err '^toll: run 1 of B was ended by signal 9$'
compare 1 -- true -- sh -c ': {}'
has err 'warm-up run 1 of B wrote no profile to the file that {} stands for'
compare 1 --warmup 0 -- true -- sh -c '[ -e made ] || echo "f 1" >"$TOLL_OUT"; touch made'
has err '^toll: run 2 of B and its first run have other values: only one has samples'
compare 1 -- true -- sh -c 'echo "no profile" >{}'
compare 2 --ticks -- true -- true
has err '--ticks is for what toll run runs'
compare 2 --runs 1 -- true -- true
compare 2 --runs 1001 -- true -- true
compare 2 --json --markdown -- true -- true
compare 2 -- true
has err 'which two programs'
compare 2 -- true --
compare 2 -- -- true
compare 2 -- true -- true -- true
has err 'which -- begins B'

# A signal ends the run, too; what was measured is printed. This sends it to toll alone, and then while nothing is compared yet.
interrupted() { # SIGNAL, AFTER so many runs
    : >began
    TMPDIR=$work/tmp "$toll" compare --warmup 0 -- sh -c "$wait" -- sh -c "$wait" >out 2>err &
    while [ "$(wc -l <began)" -lt "$2" ]; do sleep 0.05; done
    kill -"$1" $!
    wait $!
    status=$?
    [ $status = 1 ] || fail "after SIG$1: exit status $status: $(cat out err)"
    [ -z "$(ls tmp)" ] || fail "after SIG$1: files are left: $(find tmp)"
}
wait='echo >>began; [ "$(wc -l <began)" -lt 6 ] || exec sleep 20'
interrupted INT 6
has out '^note: interrupted after 2 and 3 of 20 runs$\|^note: interrupted after 3 and 2 of 20 runs$'
has err 'was ended by signal 2$'
wait='echo >>began; exec sleep 20'
interrupted TERM 1
has err '^toll: interrupted; there is nothing to compare yet$'
[ ! -s out ] || fail "out of nothing: $(cat out)"
finish
