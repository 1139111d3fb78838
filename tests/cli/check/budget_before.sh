# With --before: the stacks that grew. A rule that fails is an annotation at its function, or in the budget.
cp "$DATA/people.budget" .
"$TOLL" check -q --annotations --budget people.budget --before "$DATA/after.folded" "$DATA/example.folded"
