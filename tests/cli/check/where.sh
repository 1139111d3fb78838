# --where: a budget is held to the runs with a label alone; labels that are in no run fail.
echo 'work 100' >w.folded
echo 'work 7' >v.folded
for test in w v; do "$TOLL" merge -q --label test=$test -o $test.pb.gz $test.folded; done
"$TOLL" merge -q -o both.pb.gz w.pb.gz v.pb.gz
echo 'samples  work  <= 50' >b
for test in v w no; do "$TOLL" check --where test=$test --budget b both.pb.gz; echo "status $?"; done
"$TOLL" check --where test=v --budget b --before both.pb.gz both.pb.gz; echo "status $?"
"$TOLL" check --where test=v both.pb.gz; echo "status $?"
