# Nothing changed; the difference is a file that can be read.
"$TOLL" diff -q "$DATA/example.folded" "$DATA/example.folded" -o z.folded
cat z.folded
"$TOLL" report -q z.folded
