"$TOLL" diff --json "$DATA/example.folded" "$DATA/after.folded"
