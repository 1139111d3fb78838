# The limit is for the total of the stacks with a matching function. A pattern that matches nothing fails, since it
# would check nothing.
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over +80 --focus g >/dev/null
echo "status $?"
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over +79 --focus g >/dev/null
echo "status $?"
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 1% --focus nobody >/dev/null
