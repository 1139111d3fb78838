printf 'main 10\nmain;square 5\n' >gas.folded
printf 'main 1 2\nmain;square 3 4\n' >two.folded
"$TOLL" report --value gas --unit units gas.folded
"$TOLL" convert --value gas --unit units gas.folded -o gas.pb.gz
"$TOLL" report --value samples gas.pb.gz # it has a name now
"$TOLL" report --unit units gas.pb.gz    # and a unit
"$TOLL" report --value after --unit units two.folded
"$TOLL" report --value gas gas.folded      # without a unit, --value names nothing
"$TOLL" report --unit units gas.folded
