# Values that only one has are named.
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" diff t.pb.gz "$DATA/example.folded"
