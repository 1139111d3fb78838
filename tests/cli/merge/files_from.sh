# lists of files and folders: lines, lines of Windows, NULs; from a file, a compressed one, standard input
mkdir -p runs/deep 'with
line end'
echo 'main;f 1' >runs/a.folded
echo 'main;f 10' >runs/deep/b.folded
echo 'main;f 100' >'runs/deep/ c.folded'
echo 'main;f 1000' >'with
line end/d.folded'
echo 'main;f 10000' >./-
printf 'runs/a.folded\n\nruns/deep/ c.folded\nruns/deep/b.folded' >lines
$TOLL merge --files-from lines --to folded -o -
gzip -c lines | $TOLL merge --files-from - runs/a.folded --to folded -o -
printf 'runs/a.folded\r\nruns/deep\r\n-\r\n' | $TOLL merge --files-from - --to folded -o -
printf '%s\0' runs/a.folded 'with
line end/d.folded' '' runs/deep | $TOLL merge -j 2 --files-from - --to folded -o -
printf 'runs/a.folded\0runs/deep/b.folded' | $TOLL merge --files-from - --to folded -o -
$TOLL merge --files-from missing -o x.pb.gz
echo "runs/no.folded" | $TOLL merge --files-from - --skip-torn -o x.pb.gz
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "x" }' | $TOLL merge --files-from - -o x.pb.gz
{ awk 'BEGIN { for (i = 0; i < 1000; i++) print "runs/a.folded" }'; printf 'a\0b\n'; } | $TOLL merge --files-from - --skip-torn -o x.pb.gz
ls
