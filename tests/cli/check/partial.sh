# --partial: a run of some tests is held to the rules about these tests alone, and changes only their numbers.
printf 'main;a 10\nmain;b 5\n' >x.folded
"$TOLL" merge -q --label test=x -o x.pb.gz x.folded
cat >b <<'.'
samples  *  <= 18
samples  *  where test=x  <= 14
samples  *  where test=y  <= 3
samples  self c  where test=x  <= 2  optional
samples  self b  <= 4
.
"$TOLL" check --partial --budget b x.pb.gz; echo "status $?"
cp b before
"$TOLL" check --partial --write-budget b x.pb.gz; echo "status $?"
diff before b
"$TOLL" check --partial --budget b x.pb.gz; echo "status $?"
# A rule about a test that ran holds as always: one that matches nothing fails.
echo 'samples  self c  where test=x  <= 2' | "$TOLL" check --partial --budget - x.pb.gz; echo "status $?"
"$TOLL" check --partial x.pb.gz; echo "status $?"
