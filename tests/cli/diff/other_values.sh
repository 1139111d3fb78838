# A warning names values that only one of the profiles has.
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" diff t.pb.gz "$DATA/example.folded"
