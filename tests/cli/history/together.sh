# Commits that are added at the same time are all kept: each waits for the one before it.
echo 'main;work 100' >w.folded
"$TOLL" convert -q --value ticks --unit count -o w.pb.gz w.folded
mkdir folder
for commit in a b c d e f; do "$TOLL" history add --commit $commit folder/h.pb.gz w.pb.gz & done
wait
"$TOLL" history list --json folder/h.pb.gz | head -c 12
ls folder
