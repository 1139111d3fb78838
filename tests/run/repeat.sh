#!/bin/sh
# repeat.sh TOLL LIB - toll check --repeat prints which values are equal in all runs, and which differ, with their
# stacks; and it checks a budget with the runs.
. "$(dirname "$0")/support.sh"

# check STATUS ARGUMENTS...: toll check, whose words go to the files out and err.
check() {
    expected=$1
    shift
    "$toll" check "$@" >out 2>err
    status=$?
    [ $status = "$expected" ] || fail "toll check $*: exit status $status, not $expected: $(cat out err)"
}
has() { grep -q -- "$2" "$1" || fail "no '$2' in: $(cat "$1")"; }

# Programs that do the same each time, by toll run.
check 0 --repeat 3 --ticks --heap -- ok.lua
has out '^equal *calls '
has out '^equal *ticks '
has out '^equal *alloc_space '
has out '^3 runs; values that can have an exact budget: .*ticks'
[ "$(grep -c '^ran$' err)" = 3 ] || fail "the program printed '$(cat err)'"
check 0 -q --repeat 2 -- tiny.wasm
[ ! -s out ] && [ ! -s err ] || fail "with -q: $(cat out err)"

# 0 is no number of runs, and of one there is nothing to compare.
check 2 --repeat 0 -- ./no.such.program
has err '--repeat runs a command once or more'
check 2 --repeat 1 -- ./no.such.program
has err '--repeat 1 compares nothing'
echo 'calls  *  <= 1_000_000' >roomy
check 0 --repeat 1 --budget roomy -- ok.lua
! grep -q equal out || fail "one run is equal to itself: $(cat out)"
check 1 --repeat 2 -- ./no.such.program
has err '^toll: run 1 ended with exit status 127; only runs that succeed are compared$'

# One that does a call more each time, and one whose loop is as long as its clock says.
cat >more.lua <<'S'
local f = io.open("count")
local n = f:read("*n")
f:close()
f = io.open("count", "w")
f:write(n + 1)
f:close()
local function leaf() end
for i = 1, n do leaf() end
S
echo 0 >count
check 3 --repeat 3 -- more.lua
has out '^differs *calls .* to .* in 1 stack$'
has err '^toll: calls differs from run to run: .* in 3 runs; it has no exact budget, none can have one$'
has err '^toll:   most in .*leaf (+2)$'
check 3 --repeat 2 --value calls -- more.lua
for clock in "time wall" "cpu cpu"; do
    check 2 --repeat 2 --value "${clock% *}" -- "$toll" run -q --clock "${clock#* }" -o {} ok.lua
    has err 'no exact budget'
done
cat >clock.wat <<'S'
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (func $spin (local $n i64)
    (local.set $n (i64.and (i64.load (i32.const 0)) (i64.const 0xfffff)))
    (loop $again
      (local.set $n (i64.sub (local.get $n) (i64.const 1)))
      (br_if $again (i64.gt_s (local.get $n) (i64.const 0)))))
  (func (export "_start")
    (drop (call $clock (i32.const 1) (i64.const 0) (i32.const 0)))
    call $spin))
S
wat2wasm --debug-names clock.wat -o clock.wasm || exit 1
check 3 --repeat 3 -- clock.wasm
has out '^equal *calls '
has out '^differs *ticks '
has err '^toll: ticks differs .* calls can have one$'
has err '^toll:   most in .*spin '
check 0 --repeat 3 --value calls -- clock.wasm

# Any command, with {} for the file.
check 0 --repeat 2 -- sh -c 'echo "f;g 5" >{}'
has out '^equal *samples *5$'
check 3 --repeat 3 -- sh -c 'echo >>n; echo "f;g $(wc -l <n)" >{}'
has out '^differs *samples *1 to 3, in 1 stack$'
check 0 --repeat 2 -- env "TOLL_OUT={}" sh -c 'echo "f 1" >"$TOLL_OUT"'

# A budget of what ran.
check 0 --repeat 2 --write-budget b -- sh -c 'echo "f;g 5" >{}'
has b '^samples *\*  <= 5$'
check 0 --repeat 1 --budget b -- sh -c 'echo "f;g 5" >{}'
grep -q equal out && fail "one run is said to be equal to others"
check 3 --repeat 1 --budget b -- sh -c 'echo "f;g 6" >{}'
has err '^toll: b:4: samples .* 1 more than <= 5 allows$'

# What is not compared.
check 1 --repeat 2 -- sh -c 'echo "f 5" >{}; exit 4'
has err '^toll: run 1 ended with exit status 4; '
check 1 --repeat 2 -- sh -c ': {}'
has err 'wrote no profile'
check 1 --repeat 2 -- sh -c 'kill -9 $$; : {}'
has err 'signal 9'
check 1 --repeat 2 -- sh -c 'echo "no profile" >{}'
check 1 --repeat 2 -- sh -c '[ -e m ] && echo "f 5" >{}; [ -e m ] || printf %s "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"f\",\"ts\":1,\"dur\":2}]}" >{}; >m'
has err 'other values'
check 2 --repeat 0 -- ok.lua
check 2 --repeat 2
check 2 --ticks ok.lua
mkdir tmp
TMPDIR=$PWD/tmp check 0 --repeat 2 -- ok.lua
rmdir tmp || fail "files are left: $(find tmp)"
finish
