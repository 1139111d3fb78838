# A number consists only of digits, without a sign, a blank or anything else.
for number in +3 ' 3' -3 3x '' 99999999999999999999999; do
    "$TOLL" report -n "$number" "$DATA/example.folded"
done
