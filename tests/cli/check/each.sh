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
printf 'ticks  hash  where test=*  <= 1\nticks  hash  where test=checkout,test=login  <= 60\n' >own_alone.budget
check own_alone.budget suite.pb.gz
sed 's/hash/hush/; s/60/60 optional/' own_alone.budget >gone.budget
check gone.budget suite.pb.gz
echo "== a default is not measured"
cp suite.budget own.budget
$TOLL check --write-budget own.budget suite.pb.gz; echo "status $?"
cmp suite.budget own.budget
$TOLL check --write-budget own.budget --lower-only suite.pb.gz; echo "status $?"
