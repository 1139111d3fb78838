# 10,000 files in one folder. It is listed in parts if memory is short, and few files are open at a time.
mkdir runs
awk 'BEGIN { for (i = 0; i < 10000; i++) { file = "runs/" i * 7919 % 10007 ".folded"; print "main;f;g " i "\nmain 1" >file; close(file) } }'
ulimit -n 64
for jobs in 1 2; do $TOLL merge -j $jobs runs --to folded -o $jobs.folded; done
$TOLL merge -j 7 --max-memory 8M runs --to folded -o 7.folded
cmp 1.folded 2.folded && cmp 2.folded 7.folded && cat 7.folded
ls runs/* | $TOLL merge -j 3 --files-from - --to folded -o -
echo bad >runs/9999x
$TOLL merge -j 3 runs --to folded -o -
