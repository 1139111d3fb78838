# A stack that is small in one of the files, and large in all, stays: the sum is pruned. convert does the same.
printf 'f 9\nf;g 1\nh 2\n' >a.folded
printf 'f;g 100\n' >b.folded
$TOLL merge --prune 20% a.folded b.folded --to folded -o - >merged.folded
$TOLL convert --prune 20% a.folded b.folded --to folded -o - >converted.folded
cat merged.folded
cmp merged.folded converted.folded
$TOLL merge --focus g --prune 20% -j 2 a.folded b.folded --to folded -o -
$TOLL convert --focus nowhere a.folded b.folded --to folded -o -
