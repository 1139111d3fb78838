# Cases without a result: exit status 1 for a bad file or budget, 2 for a wrong command line. A budget without
# rules fails.
printf '# one\nsamples  f  = 5\n' >b
"$TOLL" check --budget b "$DATA/example.folded"; echo "status $?"
printf 'samples  f  < 5 kB\n' >b
"$TOLL" check --budget b "$DATA/example.folded"; echo "status $?"
printf 'time  *  < 5\n' >b
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" check --budget b t.pb.gz; echo "status $?"
printf '# none\n' >b
"$TOLL" check --budget b "$DATA/example.folded"; echo "status $?"
"$TOLL" check --budget nowhere "$DATA/example.folded"; echo "status $?"
"$TOLL" check --budget b --write-budget b "$DATA/example.folded"; echo "status $?"
"$TOLL" check --before b "$DATA/example.folded"; echo "status $?"
