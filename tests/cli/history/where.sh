# The history of one test of a suite: list, blame and page of the commits that changed it.
for line in 'c1 100 10' 'c2 100 11' 'c3 120 11' 'c4 125 6'; do
    set -- $line
    for test in a b; do
        printf 'main;parse %d\n' "$2" >run.folded
        $TOLL convert -q run.folded --value ticks --unit count --label test=$test -o $test.pb.gz
        shift
    done
    $TOLL history add --commit "${line%% *}" history.pb.gz a.pb.gz b.pb.gz
done
$TOLL history list history.pb.gz
for test in a b; do
    $TOLL history list --where test=$test history.pb.gz
    $TOLL history blame --where test=$test history.pb.gz parse
done
$TOLL history page --where test=b history.pb.gz -o page.html && grep -o '"c[0-9]"' page.html | tr '\n' ' '
echo
$TOLL history blame --where test=nosuch history.pb.gz parse; echo "status $?"
$TOLL history add --where test=a --commit c5 history.pb.gz a.pb.gz; echo "status $?"
$TOLL history show --where test=a history.pb.gz c1 -o then.pb.gz; echo "status $?"
$TOLL history list --where commit=c2 history.pb.gz; echo "status $?"
$TOLL history blame --where test=a --where commit=c2 history.pb.gz parse; echo "status $?"
