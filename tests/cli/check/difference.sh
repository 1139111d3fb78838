"$TOLL" diff -q "$DATA/example.folded" "$DATA/after.folded" -o d.pb.gz >/dev/null
"$TOLL" check d.pb.gz
"$TOLL" check --difference d.pb.gz
