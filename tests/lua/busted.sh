#!/bin/sh
# busted.sh TOLL LUA MODULES DIR - the helper toll.busted in MODULES/5.X: what each test costs in one profile; rules of a test and
# of a file, which hold, are exceeded, and are updated.
set -eu
toll=$1
lua=$2
modules=$3
dir=$4
here=$(cd "$(dirname "$0")" && pwd)
command -v "$lua" >/dev/null 2>&1 || { echo "skipped: there is no $lua"; exit 77; }
"$lua" -e 'require "busted"' >/dev/null 2>&1 || { echo "skipped: there is no busted for $lua"; exit 77; }
version=$("$lua" -e 'print(_VERSION:match "%d.%d")')
[ -e "$modules/$version/toll.so" ] || { echo "skipped: there is no module for Lua $version"; exit 77; }
LUA_CPATH="$modules/$version/?.so;;" LUA_PATH="$modules/$version/?.lua;;"
export LUA_CPATH LUA_PATH
rm -rf "$dir"
mkdir -p "$dir/temporary"
cp -r "$here/busted/spec" "$dir"
cd "$dir"
unset MORE TOLL_OUT TOLL_BUDGET TOLL_WRITE_BUDGET
fail() {
    echo "FAILED: $lua: $*"
    cat log
    exit 1
}
run() { # STATUS ARGUMENTS
    wanted=$1
    shift
    status=0
    busted --lua="$(command -v "$lua")" --helper=toll.busted "$@" >log 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "busted $*: status $status, not $wanted"
}
says() { # LINES
    for line in "$@"; do grep -qF -e "$line" log || fail "it does not say: $line"; done
}

TOLL_OUT=out.pb.gz run 0
says "spec/costs_spec.lua > group > two, 'three'" "(all)"
for test in "one 10" "two, 'three' 20" "checked 10"; do
    count=${test##* }
    printf 'calls  leaf  where "test=spec/costs_spec.lua > group > %s"  == %s\n' "${test% *}" "$count"
done >calls.budget
"$toll" check --budget calls.budget out.pb.gz >log 2>&1 || fail "what tests cost"

run 1 --pattern=_cases
says "budget:2: calls  leaf: 2, 1 more than <= 1 allows" ";leaf" "there is no operator" "its own" "1 success"
grep -q "budget:1: ticks" log && fail "a rule that holds is said to fail"
grep -q "leaf: 1, " log && fail "a test that has failed was held to its rules"

TOLL_WRITE_BUDGET=tests.budget run 0
says "tests.budget: new"
TOLL_BUDGET=tests.budget run 0
says ", 0 failed"
TOLL_BUDGET=tests.budget run 0 --filter=one
MORE=1 TOLL_BUDGET=tests.budget run 1
says "where \"test=spec/costs_spec.lua > group > two, 'three'\"" " more than <= " "2 successes / 1 failure"
MORE=1 TOLL_WRITE_BUDGET=tests.budget run 0 --filter=two
says "tests.budget: 1 of "
MORE=1 TOLL_BUDGET=tests.budget run 0
TOLL_BUDGET=no.budget run 1
says "there is no file no.budget; TOLL_WRITE_BUDGET makes one"
mkdir lines
printf 'it("two\\nlines", function() end)\n' >lines/lines_spec.lua
TOLL_OUT=lines.pb.gz run 0 lines
says "lines/lines_spec.lua > two lines"
# Two tests of one name are one: each holds the limit, both together do not.
mkdir alike
printf 'local function leaf() end\nfor i = 1, 2 do it("same", function() for j = 1, 5 do leaf() end end) end\n' >alike/alike_spec.lua
echo 'calls  leaf  where "test=alike/alike_spec.lua > same"  <= 6' >alike.budget
TOLL_BUDGET=alike.budget run 1 alike
says "tests of one name together" "10, 4 more than <= 6 allows"
echo old >none.pb.gz
mkdir none
echo 'it("fails", function() error("by itself") end)' >none/none_spec.lua
TOLL_OUT=none.pb.gz run 1 none
says "none.pb.gz is not written: no test has recorded anything; the old one is removed"
[ ! -e none.pb.gz ] || fail "a file of an older run is left"
echo old >none.pb.gz
TOLL_OUT=none.pb.gz TOLL_BUDGET=tests.budget run 0 --filter=nosuchtest
says "none.pb.gz is not written" "nothing was held to tests.budget: no test has recorded anything"
[ -e none.pb.gz ] || fail "a profile is removed although no test has run"
TOLL_OUT=no/such.pb.gz run 1
says "no/such.pb.gz"
TOLL_OUT=twice.pb.gz run 0 --repeat=2
"$toll" check --budget calls.budget twice.pb.gz >log 2>&1 || fail "what tests cost in the last of two rounds"
echo "$lua: costs and budgets of tests"
