# The page contains the source files of functions with lines if they are found; others are counted.
cp "$DATA/lines/before.pb.gz" . && cp "$DATA/lines/work_c.txt" work.c
touch -d 2020-01-01 work.c
touch -d 2020-01-02 before.pb.gz
source_of() { sed -n 's/.*toll-block-source">\([^<]*\)<.*/\1/p' $1 | base64 -d | gunzip; }
$TOLL view before.pb.gz -o page.html
grep -c toll-block-source page.html
grep -A3 '^"notes"' page.html
mkdir elsewhere && mv work.c elsewhere
$TOLL view --source-dir elsewhere before.pb.gz -o page.html
source_of page.html | cut -c 1-150
grep -A3 '^"notes"' page.html
head -c 5000000 /dev/zero | tr '\0' x >elsewhere/work.h
$TOLL view -q --source-dir elsewhere before.pb.gz -o page.html
source_of page.html | cut -c 1-150
grep -A3 '^"notes"' page.html
