# --fail-over compares two commits in one merged file. A label that one of the profiles does not have would check
# nothing, so it fails.
for run in 1/a/10 1/b/20 2/a/10 2/b/21; do
    echo "main;f ${run##*/}" >run.folded
    host=${run#*/}
    $TOLL convert -q run.folded --label commit=${run%%/*} --label host=${host%/*} -o run-$(echo $run | tr / -).pb.gz
done
$TOLL merge run-*.pb.gz -o all.pb.gz
$TOLL merge all.pb.gz --where commit=1 -o 1.pb.gz
$TOLL merge run-*.pb.gz --where commit=2 -o 2.pb.gz
$TOLL diff 1.pb.gz 2.pb.gz --where host=a --fail-over 0%; echo "status $?"
$TOLL diff 1.pb.gz 2.pb.gz --where host=b --fail-over 0%; echo "status $?"
$TOLL diff 1.pb.gz 2.pb.gz --where host=b --fail-over 5%; echo "status $?"
for labels in "--where commit=1" "--where commit=2 --where host=a" "--where hots=b" "--where commit=1 --focus f"; do
    $TOLL diff 1.pb.gz 2.pb.gz $labels --fail-over 0% >out.txt; echo "status $?"
done
$TOLL diff 1.pb.gz 2.pb.gz --focus g --fail-over 0% >out.txt; echo "status $?"
$TOLL report 1.pb.gz --by hots,commit | head -1
$TOLL report run.folded --where host=a | head -1
$TOLL merge run-*.pb.gz --where commit=3 -o 3.pb.gz
$TOLL merge run-*.pb.gz --by version -o 4.pb.gz
labels=$(seq 1 17 | sed 's/.*/--label k&=v/')
$TOLL convert run.folded $labels -o many.pb.gz
$TOLL report many.pb.gz --where k=v | head -1
