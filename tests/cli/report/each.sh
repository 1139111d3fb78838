# --each: a row for each test, or for each outermost function in a test.
printf 'f 100\ng 50\nother 7\n' >a.folded
printf 'g 30\n' >b.folded
$TOLL convert a.folded --label test=add --label host=1 --unit count --value ticks -o a.pb.gz
$TOLL convert b.folded --label test=remove --label host=2 --unit count --value ticks -o b.pb.gz
$TOLL convert b.folded --unit count --value ticks -o c.pb.gz
$TOLL merge [abc].pb.gz -o all.pb.gz
$TOLL report --each --by test all.pb.gz
$TOLL report --each --by test,root all.pb.gz
$TOLL report --each --by host,test,thread --sort name all.pb.gz
$TOLL report --each all.pb.gz
$TOLL report --each --by test --markdown all.pb.gz
$TOLL report --each --by test --json all.pb.gz
$TOLL report --each --by test -n 1 all.pb.gz
$TOLL report --each --by root --value calls "$DATA/trace.json"
$TOLL report --each --by root "$DATA/transfer.log"
echo "== the key root is a label where there are such labels"
$TOLL convert all.pb.gz --by root -o roots.folded && cat roots.folded
$TOLL convert all.pb.gz --by root -o roots.pb.gz && $TOLL report --tree --where root=other roots.pb.gz
$TOLL report --each --tree all.pb.gz; echo "status $?"
