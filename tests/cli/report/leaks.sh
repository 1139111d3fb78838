# --leaks of one file: blocks by age, which is the label snapshot: the number of the first snapshot that had them. Ages are
# sorted as numbers; blocks without an age are left out.
age() { # SNAPSHOT LINES...: bytes
    number=$1
    shift
    printf '%s\n' "$@" >blocks.folded
    $TOLL convert -q blocks.folded --value inuse_space --unit bytes --label snapshot="$number" -o "age-$number.pb.gz"
}
age 1 'main;leak;malloc 16' 'main;table;malloc 4096' 'main;view;malloc 7'
age 2 'main;leak;malloc 32'
age 10 'main;leak;malloc 48' 'main;view;malloc 5' 'main;page;malloc 100'
printf 'main;unknown;malloc 9\n' >blocks.folded
$TOLL convert -q blocks.folded --value inuse_space --unit bytes -o none.pb.gz
$TOLL merge -q age-*.pb.gz none.pb.gz -o heap.pb.gz
$TOLL report heap.pb.gz
$TOLL report --leaks heap.pb.gz
$TOLL report --leaks --json heap.pb.gz
$TOLL report --leaks --markdown heap.pb.gz
$TOLL report --leaks age-2.pb.gz
echo "== nothing to say"
$TOLL report --leaks none.pb.gz; echo "status $?"
age x 'main;leak;malloc 16'
$TOLL report --leaks age-x.pb.gz; echo "status $?"
$TOLL report --leaks --tree heap.pb.gz; echo "status $?"
$TOLL report --leaks --value ticks heap.pb.gz; echo "status $?"
echo "== ages that are none"
age 01 'main;leak;malloc 16'
age 3 'main;leak;malloc 0'
$TOLL merge -q age-01.pb.gz age-1.pb.gz age-2.pb.gz age-3.pb.gz -o odd.pb.gz
$TOLL report --leaks odd.pb.gz
$TOLL report --leaks --sort name heap.pb.gz; echo "status $?"
