# Each function's self value, the worst first; h is new, so any share of what it cost before is nothing.
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 400% --by-function >/dev/null
