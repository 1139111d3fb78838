for limit in 1x 1,20 % 12.5 9999999999999999999 '1 ms' 3kB; do
    "$TOLL" diff -q "$DATA/example.folded" "$DATA/after.folded" --fail-over "$limit" >/dev/null
    echo "status $?"
done
"$TOLL" diff --by-function "$DATA/example.folded" "$DATA/after.folded"
echo "status $?"
# A value that one of the two lacks cannot be held to a limit.
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" diff -q t.pb.gz "$DATA/example.folded" --value samples --fail-over 1% >/dev/null
