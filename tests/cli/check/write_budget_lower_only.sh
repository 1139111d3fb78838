# --lower-only: a ratchet. Limits become smaller, least values larger; a rule that fails stays, with exit status 3.
cp "$DATA/people.budget" b
"$TOLL" check --write-budget b --lower-only "$DATA/example.folded"; echo "status $?"
diff "$DATA/people.budget" b
printf 'samples  *  <= 1,000,000\nsamples  *  >= 1\n' >b
"$TOLL" check --write-budget b --lower-only "$DATA/example.folded"; echo "status $?"
cat b
"$TOLL" check --lower-only --budget b "$DATA/example.folded"; echo "status $?"
