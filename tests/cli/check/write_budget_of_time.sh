# A profile of time has other columns that can have a budget; a value of time has none.
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" check --write-budget b -n 1 t.pb.gz && cat b
"$TOLL" check --write-budget c --value time t.pb.gz; echo "status $?"
ls
