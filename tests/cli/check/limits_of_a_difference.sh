# Pyroscope omits values below 0.
"$TOLL" diff "$DATA/example.folded" "$DATA/after.folded" -o difference.pb.gz >/dev/null
"$TOLL" check --difference --limits pyroscope difference.pb.gz
