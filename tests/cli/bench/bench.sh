# A suite of two tests, each with transactions; what it costs now, against the last run.
cat >suite.sh <<'END'
transaction() { # TEST NUMBER LINE...
    test=$1 number=$2
    shift 2
    printf '%s\n' "$@" >run.folded
    "$TOLL" convert -q run.folded --value "compute units" --unit CU --label test="$test" --label transaction="$number" -o part-$test-$number.pb.gz
}
rm -f part-*
printf 'TOLL_BY=%s\n' "$TOLL_BY"
transaction add 1 "Counter: Add;entrypoint ${ADD:-1000}" "Compute Budget: SetComputeUnitLimit 150"
transaction add 2 "Counter: Add;entrypoint 900" "Compute Budget: SetComputeUnitLimit 150"
transaction add 3 "Counter: Add (failed);entrypoint 17"
[ "$1" = part ] || transaction remove 1 "Counter: Remove;entrypoint ${REMOVE:-500}"
"$TOLL" merge -q part-* -o "$TOLL_OUT"
END
export TOLL
bench() { $TOLL bench "$@"; echo "status $?"; }
bench -- sh suite.sh
echo "== the same again"
bench --fail-over 0 -- sh suite.sh | tail -n +2
echo "== what one test saves does not hide what the other costs; what is kept stays"
ADD=1100 REMOVE=400 bench --fail-over 1% -- sh suite.sh
ADD=1100 REMOVE=400 bench -q --fail-over 1% -n 1 -- sh suite.sh
echo "== a part of the tests"
bench -q -- sh suite.sh part
echo "== it is accepted"
ADD=1100 REMOVE=400 bench -q --fail-over 1% --replace -n 1 -- sh suite.sh
ADD=1100 REMOVE=400 bench -q --fail-over 1% -n 1 -- sh suite.sh
$TOLL report --each --by test toll-bench.pb.gz
echo "== another file, other rows, a margin, Markdown"
cp toll-bench.pb.gz main.pb.gz
bench -q --before main.pb.gz -o new.pb.gz --by test --margin 0 --fail-over +1 -- sh suite.sh
ls new.pb.gz
bench -q --before main.pb.gz -o new.pb.gz --markdown -- sh suite.sh
bench -q --before main.pb.gz -o new.pb.gz --json -- sh suite.sh
echo "== an existing file stays, whatever it is compared with"
cp main.pb.gz kept.pb.gz
ADD=9999 bench -q --before main.pb.gz -o kept.pb.gz --by test -n 1 --fail-over 1% -- sh suite.sh | tail -1
bench -q --by root -o kept.pb.gz -n 1 -- sh suite.sh part | tail -1
cmp kept.pb.gz main.pb.gz && echo "it is the same"
(bench -o kept.pb.gz --by test -n 1 -- sh suite.sh part 2>&1 >out.txt) | tail -1
echo "== labels that no test has"
bench -q --by tset -o kept.pb.gz --fail-over 1% -- sh suite.sh
(bench --by tset -o tset.pb.gz -- sh suite.sh 2>&1 >out.txt) | tail -2
bench -q --by test,transaction -- sh suite.sh
bench -q --by , -- sh suite.sh
echo "== sizes of programs"
mkdir -p target/deploy inside
head -c 35176 /dev/zero >target/deploy/counter.so
head -c 12 /dev/zero >target/deploy/old.so
echo '[1]' >target/deploy/counter-keypair.json
bench -q --by test -o sizes.pb.gz -- sh suite.sh part | tail -7
head -c 35000 /dev/zero >target/deploy/counter.so
mv target/deploy/old.so "target/deploy/new: 7 bytes.so"
bench -q --by test -o sizes.pb.gz -- sh suite.sh part | tail -8
(cd inside && bench -q --by test --before ../sizes.pb.gz -o x.pb.gz --markdown -- sh ../suite.sh part | tail -7)
bench -q --by test --before sizes.pb.gz -o x.pb.gz --json -- sh suite.sh part | tail -4
rm -r target
echo "== no transactions, and a place for the profile"
bench -q --by test,root -o other.pb.gz -- "$TOLL" merge -q part-add-1.pb.gz --by test -o {}
echo "== what cannot be compared"
bench
bench -q --fail-over 1% -o first.pb.gz -- sh suite.sh
bench -q -o first.pb.gz -- sh -c 'exit 3'
bench -q -o first.pb.gz -- sh -c 'kill -9 $$'
bench -q -o first.pb.gz -- true 2>&1 | sed 's/, [^ ]*toll-[^ ]*$/, FILE/'
bench -q -o first.pb.gz -- no-such-command
bench -q --before missing.pb.gz -- sh suite.sh
bench -q --margin x -- sh suite.sh
bench -q --margin 20 -- sh suite.sh
bench -q --margin "20 CU" -o margin.pb.gz --by root -- sh suite.sh part | grep request -A 1
bench -q --fail-over x -- sh suite.sh
bench -o lost.pb.gz -- sh -c 'echo kept >"$(dirname "$TOLL_OUT")/other"; sh suite.sh part; echo "$TOLL_OUT" >where.txt' 2>&1 >out.txt | sed -n 's/.*toll-[^ ]* stays/FOLDER stays/p'
rm -r "$(dirname "$(cat where.txt)")"
bench -q --json --markdown -- sh suite.sh
bench -q -o first.nosuch -- sh suite.sh
ls first* 2>/dev/null
echo "== files for build servers"
cp main.pb.gz ci.pb.gz
ADD=9999 bench -q -o ci.pb.gz --by test --fail-over 1% --junit toll.xml --openmetrics toll.txt --code-quality toll.json -- sh suite.sh >/dev/null 2>&1
grep -o '<test[a-z]* [^>]*' toll.xml
grep -c '^toll_failed' toll.txt
bench -q -o ci.pb.gz --fail-over 1% --junit toll.xml -- false >/dev/null 2>&1
grep -o '<error [^>]*' toll.xml
bench -q -o none.pb.gz --fail-over 1% --junit toll.xml -- sh suite.sh >/dev/null 2>&1
grep -o '<error [^>]*' toll.xml
bench -q -o ci.pb.gz --junit toll.xml -- sh suite.sh
bench -q -o ci.pb.gz --fail-over 1% --junit ci.pb.gz -- sh suite.sh
