# Tables that GitHub shows, a tree and a flame graph in collapsed parts; cut rows are counted.
"$TOLL" report -q --markdown -n 2 "$DATA/example.folded"
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" report -q --markdown t.pb.gz
"$TOLL" report --markdown --json "$DATA/example.folded"
echo "status $?"
# Of deep stacks the graph has 40 rows of 100 columns, the tree 60.
awk 'BEGIN { for (i = 1; i < 90; i++) { s = s (i > 1 ? ";" : "") "f" i; print s " 1" } }' >deep.folded
"$TOLL" report -q --markdown -n 2 deep.folded >deep.md
sed 's/&#[0-9]*;/|/g' deep.md | awk '/^\|f[0-9]*-/ { rows++; if (length > most) most = length } END { print rows, most }'
grep 'more' deep.md
