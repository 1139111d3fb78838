# the limit holds for all threads together
mkdir runs
for i in 1 2 3 4; do cp $DATA/example.folded runs/$i.folded; done
$TOLL merge -j 4 --max-memory 100k runs -o x.pb.gz; s=$?
ls; exit $s
