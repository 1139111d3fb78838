# The sum is the same with any number of threads, also for files with different values or formats.
mkdir runs
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    printf 'main;f_%s %s\nmain;g;h %s\n' $((i % 5)) $i $((i * 1000)) >runs/$i.folded
    cp $DATA/example.folded runs/e$i.folded
    cp $DATA/simulated.json runs/s$i.json
    cp $DATA/trace.json runs/t$i.json
done
$TOLL merge -q runs/*.folded runs/*.json -o 1.pb.gz
for jobs in 0 1 2 3 7 100; do
    $TOLL merge -q -j $jobs runs -o $jobs.pb.gz && cmp $jobs.pb.gz 1.pb.gz && echo "$jobs: the same"
done
$TOLL merge -q --jobs=2 runs --to folded -o - | head -n 8
$TOLL merge -j two runs -o x.pb.gz
