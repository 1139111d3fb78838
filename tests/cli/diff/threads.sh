# What grew is named with its thread and labels: on standard error, in annotations and in Markdown. -n limits annotations.
printf 'f;g 10\nh 4\n' >one.folded
printf 'f;g 13\nh 5\nnew 1\n' >two.folded
for test in a b; do
    "$TOLL" convert -q --label test=$test one.folded -o before_$test.pb.gz
    "$TOLL" convert -q --label test=$test two.folded -o after_$test.pb.gz
done
"$TOLL" merge -q before_a.pb.gz before_b.pb.gz -o before.pb.gz
"$TOLL" merge -q before_a.pb.gz after_b.pb.gz -o after.pb.gz
"$TOLL" diff --by test before.pb.gz after.pb.gz --fail-over 0% --annotations >out; echo "status $?"
"$TOLL" diff --by test before.pb.gz after.pb.gz --markdown | grep -A9 '<details>'
"$TOLL" diff -q before.pb.gz after.pb.gz --fail-over 0% --by-function --annotations -n 1 >out 2>err
grep '^::' err
