# Rules of all kinds: those that fail are said with the stacks that have most of it.
cp "$DATA/people.budget" .
"$TOLL" check --budget people.budget "$DATA/example.folded"
