# The total of the stacks with a function that matches. A pattern that matches nothing is no gate: it fails.
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over +80 --focus g >/dev/null
echo "status $?"
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over +79 --focus g >/dev/null
echo "status $?"
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 1% --focus nobody >/dev/null
