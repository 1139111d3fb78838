# --json: each rule with its value, limit, state, value before and stacks. Names are data.
cp "$DATA/people.budget" .
"$TOLL" check -q --json --budget people.budget --before "$DATA/after.folded" "$DATA/example.folded" 2>/dev/null; echo "status $?"
echo 'samples  self "g"    in f  <= 100' >one.budget
echo 'samples  self "g"  in f  == 60' >>one.budget
"$TOLL" check --json --budget one.budget "$DATA/example.folded"; echo "status $?"
"$TOLL" check --json --budget one.budget nothere; echo "status $?"
"$TOLL" check --json "$DATA/example.folded"; echo "status $?"
"$TOLL" check --json --markdown --budget one.budget "$DATA/example.folded"; echo "status $?"
