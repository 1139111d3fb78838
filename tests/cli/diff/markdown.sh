"$TOLL" diff -q --markdown "$DATA/after.folded" "$DATA/example.folded" --fail-over 1%
echo "status $?"
"$TOLL" diff -q --markdown "$DATA/example.folded" "$DATA/example.folded"
