# Tables that GitHub shows, a tree and a flame graph in collapsed parts; cut rows are counted.
"$TOLL" report -q --markdown -n 2 "$DATA/example.folded"
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" report -q --markdown t.pb.gz
"$TOLL" report --markdown --json "$DATA/example.folded"
