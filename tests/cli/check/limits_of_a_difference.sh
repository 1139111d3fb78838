# Values below 0 are left out by Pyroscope.
"$TOLL" diff "$DATA/example.folded" "$DATA/after.folded" -o difference.pb.gz >/dev/null
"$TOLL" check --difference --limits pyroscope difference.pb.gz
