# Numbers after <=, == and >= follow the profile; comments, order, tolerances, limits and fixed rules stay.
cp "$DATA/people.budget" b
"$TOLL" check --write-budget b "$DATA/example.folded"
diff "$DATA/people.budget" b
# What cannot be read is not written.
printf 'samples  f  = 5\n' >b
"$TOLL" check --write-budget b "$DATA/example.folded"; echo "status $?"
cat b
# A long name is shown whole.
printf 'samples  %s  <= 5\n' "$(printf '%0250d' 7)" >b
"$TOLL" check --write-budget b "$DATA/example.folded"; echo "status $?"
