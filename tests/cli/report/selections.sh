# Each option that selects, folds or sorts, on one profile.
cat >p.folded <<'F'
main;parse;read 5
main;parse;parse;read 3
main;run;malloc;grow 10
main;run;work;run 7
F
for options in '--sort name' '--sort total' '-n 2' '--ignore read' '--focus work' '--max-depth 2' \
    '--fold-recursion' '--by-site' '--tree -n 3'; do
    echo "-- $options"
    # shellcheck disable=SC2086 # the options are words
    "$TOLL" report $options p.folded
done
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" report --thread 1/1 t.pb.gz
"$TOLL" report --focus nothing p.folded
