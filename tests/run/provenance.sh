#!/bin/sh
# provenance.sh TOLL LIB - a profile says of which runs it is the sum, and what made them. Unlike runs are not compared;
# sums of unequal numbers of runs are, run by run; two labels of one file are compared like two files.
. "$(dirname "$0")/support.sh"
record() { "$toll" run -q --clock none "$@" >/dev/null || fail "toll run $*"; }
info() { "$toll" report --info "$1" | head -1; }

# says STATUS TEXT COMMAND...: toll COMMAND ends so, with TEXT in what it prints and complains.
says() {
    expected=$1 text=$2
    shift 2
    "$toll" "$@" >out 2>err
    status=$?
    [ $status = "$expected" ] || fail "toll $*: exit status $status, not $expected: $(cat out err)"
    cat out err | grep -q -- "$text" || fail "toll $*: no '$text' in: $(cat out err)"
}
cat >sum.lua <<'S2'
local function sum(n) local s = 0 for i = 1, n do s = s + i end return s end
for i = 1, 10 do sum(i * STEP) end
S2
for step in 10 11; do
    mkdir $step
    sed "s/STEP/$step/" sum.lua >$step/sum.lua
    (cd $step && record --ticks -o ../$step.pb.gz lua5.4 sum.lua)
done

# What made it.
case $(info 10.pb.gz) in
"1 run: interpreter=Lua 5.4."[0-9]*"; toll="[0-9]*) ;;
*) fail "of Lua 5.4: $(info 10.pb.gz)" ;;
esac
for costs in instructions fuel; do record --costs $costs --label a=1 -o $costs.pb.gz tiny.wasm; done
case $(info fuel.pb.gz) in
"1 run: {a=1} costs=fuel; engine=Node "[0-9]*", V8 "[0-9]*"; module=tiny.wasm "[0-9a-f]*"; toll="*) ;;
*) fail "of wasm: $(info fuel.pb.gz)" ;;
esac
"$toll" convert -q fuel.pb.gz -o again.pb
[ "$(info fuel.pb.gz)" = "$(info again.pb)" ] || fail "convert: $(info again.pb)"

{ cat tiny.wasm; printf '\000\036\011producers\001\014processed-by\001\002cc\0019'; } >made.wasm
{ cat tiny.wasm; printf '\000\036\011producers\001\014processed-by\177\002cc\0019'; } >damaged.wasm
for name in made damaged; do record -o $name.pb.gz $name.wasm; done
case $(info made.pb.gz) in "1 run: compiler=cc 9; costs="*) ;; *) fail "the compiler: $(info made.pb.gz)" ;; esac
case $(info damaged.pb.gz) in "1 run: costs="*) ;; *) fail "a damaged section: $(info damaged.pb.gz)" ;; esac

# Without --ticks there is no column of ticks, which a limit would take for 0 ticks.
(cd 10 && record -o ../calls.pb.gz lua5.4 sum.lua)
"$toll" report --json calls.pb.gz | grep -q ticks && fail "ticks that nobody has counted"
echo 'ticks * <= 10' >budget
says 3 'ticks' check --budget budget calls.pb.gz

# Unlike ones.
says 1 'nothing was compared: costs: BEFORE is of fuel, AFTER of instructions; --across compares' diff fuel.pb.gz instructions.pb.gz
says 0 '(all)' diff --across fuel.pb.gz instructions.pb.gz
says 0 '(all)' diff fuel.pb.gz 10.pb.gz # what only one of them knows
echo 'ticks * <= 0' >budget
says 1 'costs: BEFORE is of fuel, AFTER of instructions' check --budget budget --before fuel.pb.gz instructions.pb.gz
says 1 'nothing was compared: costs: BEFORE is of fuel, AFTER of instructions; --across' view -o page.html instructions.pb.gz fuel.pb.gz
[ ! -e page.html ] || fail "a page of unlike runs"
"$toll" view --across -o page.html instructions.pb.gz fuel.pb.gz && [ -s page.html ] || fail "no page with --across"
says 1 'costs: BEFORE is of fuel, AFTER of instructions' view -o pages.html fuel.pb.gz instructions.pb.gz instructions.pb.gz
says 1 'costs: BEFORE is of fuel, AFTER of instructions' annotate fuel.pb.gz instructions.pb.gz
says 1 'costs: BEFORE is of fuel, AFTER of instructions' annotate --top 3 fuel.pb.gz instructions.pb.gz
"$toll" annotate --across fuel.pb.gz instructions.pb.gz 2>&1 | grep -q 'nothing was compared' && fail "annotate --across compares nothing"
for name in fuel instructions; do "$toll" convert -q --label test=t $name.pb.gz -o bench-$name.pb.gz; done
says 1 'costs: BEFORE is of fuel, AFTER of instructions' bench --before bench-fuel.pb.gz -- cp bench-instructions.pb.gz {}
says 0 '' bench --across --before bench-fuel.pb.gz -- cp bench-instructions.pb.gz {}
"$toll" history add --commit one history.pb.gz fuel.pb.gz || fail "a history"
cp history.pb.gz one.pb.gz
"$toll" history show history.pb.gz one -o shown.pb.gz || fail "history show"
says 1 'costs: BEFORE is of fuel, AFTER of instructions' diff --fail-over 0 shown.pb.gz instructions.pb.gz
echo 'main 5' >unlabelled.folded
says 1 'nothing was added: costs: BEFORE is of fuel, AFTER of instructions' history add --commit two history.pb.gz instructions.pb.gz
cmp -s history.pb.gz one.pb.gz || fail "a refused profile changes the history"
says 0 'which the history has' history add --commit two history.pb.gz unlabelled.folded
says 1 'nothing was added: costs: BEFORE is of fuel' history add --commit three history.pb.gz instructions.pb.gz
"$toll" history add --across --commit three history.pb.gz instructions.pb.gz || fail "history add --across"
"$toll" history prune --keep 1 history.pb.gz || fail "history prune"
says 1 'nothing was added: costs: BEFORE is of instructions, AFTER of fuel' history add --commit four history.pb.gz fuel.pb.gz
"$toll" history add --commit four history.pb.gz instructions.pb.gz || fail "history add of the same makers"
"$toll" history add --across --commit five history.pb.gz fuel.pb.gz || fail "history add --across"
for name in fuel instructions; do "$toll" convert -q --label commit=$name --label test=t $name.pb.gz -o by-$name.pb.gz; done
"$toll" merge -q by-fuel.pb.gz by-fuel.pb.gz -o twice.pb.gz
"$toll" history add --commit one tests.pb.gz by-fuel.pb.gz || fail "a history of tests"
says 1 'nothing was added: BEFORE is the sum of 1 run {a=1; test=t}, AFTER of 2, where BEFORE' history add --commit two tests.pb.gz twice.pb.gz
"$toll" history add --across --commit two tests.pb.gz twice.pb.gz || fail "history add --across of twice as many runs"
says 1 'BEFORE is the sum of 2 runs {a=1; test=t}, AFTER of 1' history add --commit three tests.pb.gz by-fuel.pb.gz
"$toll" history add --commit three tests.pb.gz twice.pb.gz || fail "history add of as many runs"
"$toll" history show tests.pb.gz three -o shown.pb.gz || fail "history show"
says 0 'nothing changed' diff --per-run shown.pb.gz by-fuel.pb.gz
says 2 'history list: there is no --across' history list --across history.pb.gz
says 3 'ticks' check --budget budget --across --before fuel.pb.gz instructions.pb.gz
if [ -f "$lib/lua/5.3/toll.so" ] && command -v lua5.3 >/dev/null; then
    (cd 10 && record --ticks -o ../old.pb.gz lua5.3 sum.lua)
    says 1 'interpreter: BEFORE is of Lua 5.3.[0-9], AFTER of Lua 5.4.[0-9]' diff old.pb.gz 10.pb.gz --fail-over 0%
    says 1 'interpreter: BEFORE' diff 10.pb.gz old.pb.gz --value ticks
fi

# Several runs.
"$toll" merge -q 10.pb.gz 10.pb.gz 10.pb.gz -o three.pb.gz
"$toll" merge -q three.pb.gz 10.pb.gz -o four.pb.gz
case $(info four.pb.gz) in "4 runs: interpreter="*) ;; *) fail "of four: $(info four.pb.gz)" ;; esac
says 1 'BEFORE is the sum of 3 runs, AFTER of 4; --per-run compares' diff three.pb.gz four.pb.gz --fail-over 0%
says 1 'BEFORE is the sum of 3 runs, AFTER of 4; --across compares' annotate three.pb.gz four.pb.gz
says 0 'nothing changed' diff --per-run three.pb.gz four.pb.gz --fail-over 0%
says 0 'nothing changed' diff --per-run 10.pb.gz four.pb.gz
"$toll" merge -q three.pb.gz 11.pb.gz -o more.pb.gz
says 3 ' in 2 runs: --fail-over' diff --per-run three.pb.gz more.pb.gz --fail-over 0%
says 3 'allows 2' diff --per-run three.pb.gz more.pb.gz --fail-over +1
says 0 'those of 2 runs' diff --per-run three.pb.gz more.pb.gz --fail-over +1000
printf 'f 1\n' >unknown.folded
says 1 'AFTER does not say of how many runs' diff --per-run 10.pb.gz unknown.folded
"$toll" merge -q 10.pb.gz unknown.folded -o mixed.pb.gz
says 0 'others, of which nothing is known' report --info mixed.pb.gz
says 1 'BEFORE is also the sum of files that do not say' diff --per-run mixed.pb.gz 10.pb.gz

# Two labels of one file, and each test by its own number of runs.
"$toll" merge -q --label commit=a three.pb.gz -o a.pb.gz
"$toll" merge -q --label commit=b 11.pb.gz -o b.pb.gz
"$toll" merge -q a.pb.gz b.pb.gz -o day.pb.gz
"$toll" diff -q --per-run day.pb.gz --where-before commit=a --where-after commit=b >one
"$toll" diff -q 10.pb.gz 11.pb.gz >two
cmp one two || fail "two labels of one file: $(cat one)"
says 1 'BEFORE is the sum of 3 runs' diff day.pb.gz --where-before commit=a --where-after commit=b
says 1 'BEFORE is the sum of 3 runs, AFTER of 1' diff a.pb.gz b.pb.gz
says 0 '<code>commit=a</code> to <code>commit=b</code>' diff --across --markdown day.pb.gz --where-before commit=a --where-after commit=b
says 3 'no stack of AFTER has the label commit=c' diff day.pb.gz --where-before commit=a --where-after commit=c --fail-over 1%
says 2 'two files' diff day.pb.gz
says 2 'read twice' diff - --where-before commit=a --where-after commit=b
"$toll" merge -q --label test=x 10.pb.gz -o x.pb.gz
"$toll" merge -q --label test=y 10.pb.gz -o y.pb.gz
"$toll" merge -q x.pb.gz y.pb.gz -o suite.pb.gz
"$toll" merge -q x.pb.gz x.pb.gz y.pb.gz -o again.pb.gz
"$toll" report -q --each --by test suite.pb.gz >out
grep -q calls out && fail "calls of tests, whose outermost function nobody calls: $(cat out)"
"$toll" merge -q x.pb.gz x.pb.gz -o twox.pb.gz
says 1 'BEFORE is the sum of 1 run {test=x}, AFTER of 2' diff --each --by test suite.pb.gz again.pb.gz --fail-over 0%
says 1 'BEFORE has 1 of 2 runs {test=x}, AFTER 2 of 3' diff --per-run suite.pb.gz again.pb.gz --fail-over 0%
says 1 'a sum of unlike runs; --each --by KEY compares each label.s runs with themselves' diff --per-run --by test suite.pb.gz again.pb.gz
says 0 '(all)' diff --across --per-run x.pb.gz again.pb.gz --fail-over 0%
"$toll" merge -q again.pb.gz again.pb.gz -o twice.pb.gz
says 0 'nothing changed' diff --per-run again.pb.gz twice.pb.gz --fail-over 0%
says 1 'BEFORE has 2 of 3 runs {test=x}, AFTER 2 of 2' diff --per-run again.pb.gz twox.pb.gz
# Rows that are sums of several tests: each test has to have its share.
"$toll" merge -q --label host=h suite.pb.gz -o host.pb.gz
"$toll" merge -q --label host=h again.pb.gz -o host-again.pb.gz
for by in host root thread; do
    says 1 'BEFORE has 1 of 2 runs {host=h; test=x}, AFTER 2 of 3' diff --each --by $by --per-run host.pb.gz host-again.pb.gz
done
says 0 '2 unchanged' diff --each --by test --per-run host.pb.gz host-again.pb.gz --fail-over 0%
says 0 '2 unchanged' diff --each --by test --per-run suite.pb.gz again.pb.gz --fail-over 0%
finish
