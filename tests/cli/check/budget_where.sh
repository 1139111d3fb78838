# Rules about the runs with a label: each test has its own limit.
for run in 1/add/100 1/remove/20 2/add/110 2/remove/18; do
    echo "swap;hash ${run##*/}" >run.folded
    test=${run#*/}
    $TOLL convert -q run.folded --unit CU --value "compute units" --label commit=${run%%/*} --label test="${test%/*} all" -o run-$(echo $run | tr / -).pb.gz
done
$TOLL merge run-1-*.pb.gz -o before.pb.gz
$TOLL merge run-2-*.pb.gz -o after.pb.gz
cat >swap.budget <<'END'
compute units  *  <= 130
compute units  hash  where test=add all  <= 105
compute units  self hash  in swap  where "test=remove all"  <= 20 fixed
compute units  *  where test=add all,test=remove all  where "test=add all"  == 128
compute units  swap  where test=other  < 5
compute units  swop  where test=add all  < 5
compute units  *  where test=other  < 5  optional
END
$TOLL check --budget swap.budget --before before.pb.gz after.pb.gz; echo "status $?"
$TOLL check --write-budget swap.budget after.pb.gz; echo "status $?"
$TOLL check --budget swap.budget run-2-*.pb.gz | head -4
printf 'ticks  f  where test  < 5\n' >bad.budget
$TOLL check --budget bad.budget missing.pb.gz; echo "status $?"
# A new budget has a rule for each test.
$TOLL check --write-budget new.budget after.pb.gz && cat new.budget
$TOLL check --budget new.budget after.pb.gz | tail -1
$TOLL convert -q run.folded --label "test=a, b < c" -o odd.pb.gz && $TOLL check -q --write-budget odd.budget odd.pb.gz && grep where odd.budget && $TOLL check --budget odd.budget odd.pb.gz | tail -1
