# With -o - the difference alone is on standard output.
"$TOLL" diff -q -o - --to folded "$DATA/example.folded" "$DATA/after.folded"
