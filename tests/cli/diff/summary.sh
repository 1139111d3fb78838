# Parts are appended to the step's summary; where there is none, a message says what to do.
"$TOLL" diff -q --summary "$DATA/after.folded" "$DATA/example.folded"; echo "status $?"
echo "what was there" >s.md
export GITHUB_STEP_SUMMARY=s.md
"$TOLL" diff -q --summary "$DATA/after.folded" "$DATA/example.folded" --fail-over 1% >text; echo "status $?"
cat text s.md
"$TOLL" report -q --summary "$DATA/example.folded" >/dev/null
grep '^###\|^\*\*\|^what' s.md
GITHUB_STEP_SUMMARY=/nowhere/s.md "$TOLL" report -q --summary "$DATA/example.folded" >/dev/null; echo "status $?"
