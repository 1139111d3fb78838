# The error names the first bad file, no matter which thread has found one. --skip-torn omits bad files, and counts them
# in the result.
mkdir runs
for i in 1 2 3 4 5 6 7 8 9; do
    $TOLL convert $DATA/example.folded -o runs/$i.pb.gz
    echo "main;f $i" >runs/$i.folded
done
head -c 60 runs/1.pb.gz >runs/4a.pb.gz
echo 'no profile at all' >runs/6a.txt
: >runs/7a.pb.gz
gzip -dc runs/1.pb.gz | head -c 30 >runs/8a.pb
for jobs in 1 2 3 7; do $TOLL merge -j $jobs runs -o x.pb.gz; echo $?; done
ls
for jobs in 1 2 3 7; do $TOLL merge -q -j $jobs --skip-torn runs -o $jobs.pb.gz; cmp $jobs.pb.gz 1.pb.gz; done
$TOLL merge -j 3 --skip-torn runs -o y.pb.gz
$TOLL convert y.pb.gz --to folded -o -
gzip -dc y.pb.gz | grep -ao 'toll: [0-9]* files[a-z ,:]*'
$TOLL merge -q --skip-torn y.pb.gz y.pb.gz runs/6a.txt -o z.pb.gz && gzip -dc z.pb.gz | grep -ao 'toll: [0-9]* files[a-z ,:]*'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do echo "bad $i" >runs/z$i; done
$TOLL merge -j 2 --skip-torn runs -o y.pb.gz
