# Columns are as wide as their widest figure, which may be of the first or the last function: what one lost another may have got.
printf 'a 1\nb 999999999\n' >before.folded
printf 'a 999999999\nb 1\n' >after.folded
"$TOLL" diff -q before.folded after.folded
"$TOLL" diff -q --rows 1 before.folded after.folded
