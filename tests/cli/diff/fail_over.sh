# The total grew by 45 of 115. Limits one unit below fail, and the message names the strictest; another limit holds.
"$TOLL" diff "$DATA/after.folded" "$DATA/example.folded" --fail-over 39.13% >/dev/null
echo "status $?"
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 39.14% --fail-over +44 >/dev/null
echo "status $?"
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 39.14% --fail-over +45 >/dev/null
echo "status $?"
# What got better never fails.
"$TOLL" diff -q "$DATA/example.folded" "$DATA/after.folded" --fail-over 0% >/dev/null
echo "status $?"
