# A number has digits alone: neither a sign nor a blank before them, nor anything behind.
for number in +3 ' 3' -3 3x '' 99999999999999999999999; do
    "$TOLL" report -n "$number" "$DATA/example.folded"
done
