# A link that leads back is named and passed over, and all files are added up once; a link to itself, too. The same with
# threads, and from a list.
mkdir -p runs/a/b
echo 'main;f 1' >runs/a/1.folded
echo 'main;f 10' >runs/a/b/2.folded
echo 'main;f 100' >runs/z.folded
ln -s ../.. runs/a/b/up
ln -s . runs/again
ln -s self runs/self
for how in "runs" "-j 3 runs" "--files-from list"; do
    echo runs >list
    $TOLL merge $how --to folded -o -
done
echo "an operand that leads to itself is no file:"
$TOLL merge runs/self -o x.pb.gz
