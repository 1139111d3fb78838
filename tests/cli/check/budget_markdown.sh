cp "$DATA/people.budget" .
GITHUB_STEP_SUMMARY=s.md "$TOLL" check -q --markdown --summary --budget people.budget "$DATA/example.folded"
status=$?
"$TOLL" check -q --markdown --budget people.budget "$DATA/example.folded" 2>/dev/null | cmp - s.md && echo "the same in the summary"
"$TOLL" check --markdown "$DATA/example.folded"
exit $status
