# A default for each test: `where test=*`, or all rules with --by; tests with a rule of their own are held to that.
for line in 'checkout 150 40' 'search 85 0' 'login 30 12'; do
    set -- $line
    printf 'main;parse %d\nmain;parse;hash %d\n' "$2" "$3" >run.folded
    $TOLL convert -q run.folded --value ticks --unit count --label test=$1 -o $1.pb.gz
done
$TOLL merge -q checkout.pb.gz search.pb.gz login.pb.gz -o suite.pb.gz
check() { $TOLL check --budget "$@"; echo "status $?"; }
cat >suite.budget <<'B'
ticks  *                        <= 317
ticks  *     where test=*       <= 100
ticks  *     where test=checkout  <= 190   # of its own
ticks  hash  where test=*       <= 12
B
check suite.budget suite.pb.gz
sed 's/<= 12/<= 40/' suite.budget >wide.budget
check wide.budget suite.pb.gz
check wide.budget --tight 1% suite.pb.gz
echo "== all rules for each"
cat >plain.budget <<'B'
ticks  *          <= 150
ticks  self hash  <= 40
ticks  *          >= 40
B
check plain.budget suite.pb.gz
check plain.budget --by test suite.pb.gz
check plain.budget --by test,root suite.pb.gz
$TOLL check --budget plain.budget --by test --junit r.xml suite.pb.gz >/dev/null 2>&1; grep -o 'testcase name="[^"]*"' r.xml
check plain.budget --by test --before suite.pb.gz suite.pb.gz
echo "== nothing to hold"
echo 'ticks  hush  where test=*  <= 1' >name.budget
check name.budget suite.pb.gz
echo 'ticks  hush  where test=*  <= 1 optional' >name.budget
check name.budget suite.pb.gz
check plain.budget --by host suite.pb.gz
check plain.budget --by , suite.pb.gz
$TOLL check --by test suite.pb.gz; echo "status $?"
$TOLL check --by test --write-budget new.budget suite.pb.gz; echo "status $?"
echo "== the one test that calls it has a rule of its own"
printf 'ticks  hash  where test=*  <= 1\nticks  hash  where test=checkout  <= 40\nticks  hash  where test=login  <= 12\n' >own_alone.budget
check own_alone.budget suite.pb.gz
sed 's/hash/hush/; s/40/40 optional/; s/12/12 optional/' own_alone.budget >gone.budget
check gone.budget suite.pb.gz
echo "== a sum of tests, and a part of one, leave each to the default"
printf 'ticks  *  where test=*  <= 100\nticks  *  where test=checkout,test=login  <= 900\n' >sum.budget
check sum.budget suite.pb.gz
echo "== a column that is missing, names of tests with a quote, and with a star"
echo 'ticke  *  where test=*  <= 100' >column.budget
check column.budget suite.pb.gz
echo 'main 7' >run.folded
for test in 'a b, z="q"' '*'; do $TOLL convert -q run.folded --value ticks --unit count --label "test=$test" -o "odd${#test}.pb.gz"; done
$TOLL merge -q odd1.pb.gz odd10.pb.gz -o odd.pb.gz
$TOLL check --write-budget odd.budget odd.pb.gz && grep where odd.budget && check odd.budget odd.pb.gz
printf 'ticks  *  where test=*  <= 6\n' >all.budget
check all.budget odd.pb.gz
echo "== wrong ones"
for labels in 'test=*,test=checkout' 'test=*  where test=*' 'test='; do
    echo "ticks  *  where $labels  <= 100" >wrong.budget
    check wrong.budget suite.pb.gz
done
check plain.budget --by 'test , test' suite.pb.gz | tail -2
check plain.budget --by 'te st' suite.pb.gz | tail -2
echo "== with --partial a default may match nothing"
check name.budget --partial suite.pb.gz
check suite.budget --partial checkout.pb.gz
echo "== a default is not measured"
cp suite.budget own.budget
$TOLL check --write-budget own.budget suite.pb.gz; echo "status $?"
cmp suite.budget own.budget
$TOLL check --write-budget own.budget --lower-only suite.pb.gz; echo "status $?"
