# Rules of all kinds. A rule that fails is printed with the stacks that have the largest part of the value.
cp "$DATA/people.budget" .
"$TOLL" check --budget people.budget "$DATA/example.folded"
