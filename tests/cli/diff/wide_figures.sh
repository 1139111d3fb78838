# Columns are as wide as their widest figure, which may be of the first or the last function: what one lost another may have got.
printf 'a 1\nb 999999999\n' >before.folded
printf 'a 999999999\nb 1\n' >after.folded
"$TOLL" diff -q before.folded after.folded
"$TOLL" diff -q --rows 1 before.folded after.folded
# Wider than the columns are at least: the first function, whose stacks have narrower figures; and the first stack, whose function has a
# narrower one.
printf 'x;f 1\ny;f 1\ng 400000000000000\nh 400000000000000\ni 400000000000000\n' >before.folded
printf 'x;f 600000000000000\ny;f 600000000000000\ng 1\nh 1\ni 1\n' >after.folded
"$TOLL" diff -q before.folded after.folded
printf 'x;f 1\ny;f 600000000000000\nz;f 600000000000000\n' >before.folded
printf 'x;f 1200000000000000\ny;f 1\nz;f 1\n' >after.folded
"$TOLL" diff -q before.folded after.folded
