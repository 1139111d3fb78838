# --each: a row for each test; --fail-over holds each to the limit, so that one test's growth is not hidden by what
# another saved. A new test is no growth; a function that a test did not call before is.
run() { # FILE TEST LINES
    printf '%b' "$3" >run.folded
    $TOLL convert -q run.folded --label test="$2" --unit count --value ticks -o "$1"
}
run 1.pb.gz add 'f 100\ng 50\n'
run 2.pb.gz remove 'f 100\n'
run 3.pb.gz old 'f 7\n'
$TOLL merge [123].pb.gz -o before.pb.gz
run 4.pb.gz add 'f 110\ng 50\nother 5\n'
run 5.pb.gz remove 'f 85\n'
run 6.pb.gz new 'f 1000\n'
run 7.pb.gz same 'f 1\n'
$TOLL merge [4567].pb.gz -o after.pb.gz
$TOLL diff --each --by test before.pb.gz after.pb.gz --fail-over 1%; echo "status $?"
$TOLL diff --each --by test,root before.pb.gz after.pb.gz --fail-over +10; echo "status $?"
$TOLL diff --each --by test before.pb.gz after.pb.gz --fail-over 10%; echo "status $?"
$TOLL diff -q --each --by test before.pb.gz after.pb.gz --where test=add --where test=remove --fail-over 0 >out.txt 2>&1
echo "status $?"
echo "== a comparison of nothing"
$TOLL diff --each --by test 1.pb.gz 2.pb.gz --fail-over 1%; echo "status $?"
printf 'setup 5\n' >setup.folded
$TOLL convert -q setup.folded --unit count --value ticks -o setup.pb.gz
$TOLL merge 1.pb.gz setup.pb.gz -o 1s.pb.gz
$TOLL merge 2.pb.gz setup.pb.gz -o 2s.pb.gz
$TOLL diff -q --each --by test 1s.pb.gz 2s.pb.gz --fail-over 1% >out.txt; echo "status $? also with what is no test"
$TOLL diff --each --by test 1.pb.gz missing.pb.gz --fail-over x; echo "status $?"
printf 'f 9000000000000000000\n' >large.folded
$TOLL convert -q large.folded --label test=add --unit count --value ticks -o large.pb.gz
$TOLL diff --each --by test 1.pb.gz large.pb.gz
echo "== forms"
$TOLL diff --each --by test --markdown before.pb.gz after.pb.gz --fail-over 1% 2>&1; echo "status $?"
$TOLL diff --each --by test,root --json before.pb.gz after.pb.gz
$TOLL diff --each --by test -n 1 --color always before.pb.gz after.pb.gz
$TOLL diff --each --by test before.pb.gz before.pb.gz
$TOLL diff --each "$DATA/example.folded" "$DATA/after.folded"
echo "== not together"
$TOLL diff --each --by-function --fail-over 1% before.pb.gz after.pb.gz; echo "status $?"
$TOLL diff --each -o - before.pb.gz after.pb.gz; echo "status $?"
# Of some that are alike and one that is not, in a table.
$TOLL merge 1.pb.gz 5.pb.gz 7.pb.gz -o some.pb.gz
$TOLL merge 1.pb.gz 2.pb.gz 7.pb.gz -o others.pb.gz
$TOLL diff -q --each --by test --markdown some.pb.gz others.pb.gz
