# What must not be lost: commits without costs, labels with commas, the file itself.
run() { # FILE LINES, options
    printf '%b' "$2" >run.folded
    out=$1
    shift 2
    $TOLL convert -q run.folded --value ticks --unit count "$@" -o "$out"
}
run one.pb.gz 'main;f 10\nmain;g 5\n'
run none.pb.gz 'main;f 0\n'
run moved.pb.gz 'main;f 7\nmain;g 8\n' --label a,b=x
echo "== commits without costs"
for commit in 1 2 3; do
    case $commit in 2) file=one.pb.gz ;; *) file=none.pb.gz ;; esac
    $TOLL history add --commit "$commit" empty.pb.gz "$file"; echo "status $?"
done
$TOLL history list empty.pb.gz
$TOLL history prune --keep 1 empty.pb.gz; echo "status $?"
$TOLL history add --commit 4 empty.pb.gz one.pb.gz; echo "status $?"
$TOLL history list empty.pb.gz
echo "== what moves between functions is on the page; commits by the beginning of their names"
$TOLL history add --commit abc1 history.pb.gz one.pb.gz
$TOLL history add --commit abd2 history.pb.gz moved.pb.gz
$TOLL history list history.pb.gz
$TOLL history page history.pb.gz -o page.html; echo "status $?"
$TOLL history show history.pb.gz abd -o then.pb.gz && $TOLL report --tree --by a,b then.pb.gz 2>/dev/null | head -2
$TOLL report then.pb.gz | tail -1
$TOLL history show history.pb.gz ab -o then.pb.gz; echo "status $?"
echo "== a value that is missing"
printf 'main;f 64\n' >bytes.folded
$TOLL convert -q bytes.folded --value inuse_space --unit bytes -o bytes.pb.gz
$TOLL merge -q one.pb.gz bytes.pb.gz -o both.pb.gz
$TOLL history add --commit abe3 history.pb.gz both.pb.gz
$TOLL history add --commit abf4 history.pb.gz one.pb.gz
$TOLL history list --value inuse_space history.pb.gz
echo "== sums that do not fit"
printf 'f 9000000000000000000\ng 9000000000000000000\n' >run.folded
$TOLL convert -q run.folded --value ticks --unit count -o huge.pb.gz
$TOLL history add --commit huge history.pb.gz huge.pb.gz; echo "status $?"
echo "== the file stays"
cp history.pb.gz kept.pb.gz
$TOLL history show history.pb.gz abc1 -o history.pb.gz; echo "status $?"
ln history.pb.gz link.pb.gz
$TOLL history page history.pb.gz -o link.pb.gz; echo "status $?"
$TOLL history add --commit x new.folded one.pb.gz; echo "status $?"
$TOLL history add -o x.pb.gz --commit x history.pb.gz one.pb.gz; echo "status $?"
$TOLL history list --keep 3 history.pb.gz; echo "status $?"
$TOLL history prune --keep 3 --json history.pb.gz; echo "status $?"
$TOLL history list --commit x history.pb.gz; echo "status $?"
cmp history.pb.gz kept.pb.gz && ls new.folded x.pb.gz 2>/dev/null
