# A folder means all files in it and in folders below it, except for names that begin with a dot.
mkdir -p runs/b/c/empty runs/.git
echo 'main;f 1' >runs/a.folded
echo 'main;f 10' >runs/b/1.folded
echo 'main;f 100' >runs/b/c/2.folded
echo 'main;f 1000' >runs/b.folded
echo '?' >runs/.git/config
echo '?' >runs/b/.hidden
$TOLL merge runs --to folded -o -
$TOLL merge runs/ runs/b/ runs/a.folded --to folded -o -
$TOLL merge -j 3 runs/b/c/empty -o x.pb.gz || ls
$TOLL merge -q $DATA/sbf --to folded -o - | head -n 3 # which is one profile
mkfifo runs/b/c/pipe
$TOLL merge runs -o x.pb.gz || ls
cd runs/b && ln -s .. c/up && rm c/pipe && $TOLL merge c/up --to folded -o -
