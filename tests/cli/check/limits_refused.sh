# What Pyroscope would refuse as a whole: 16,001 stacks; pprof of more than 2 MiB, then of more than 4.
awk 'BEGIN { for (i = 1; i <= 16001; i++) print "main;f" i " 1" }' >many.folded
awk 'BEGIN { for (i = 0; i < 50000; i++) name = name "n"; for (s = 1; s <= 45; s++) print s name " " s }' >large.folded
awk 'BEGIN { for (i = 0; i < 50000; i++) name = name "n"; for (s = 1; s <= 90; s++) print s name " " s }' >larger.folded
"$TOLL" check --limits pyroscope many.folded
echo "$?"
"$TOLL" check --quiet --limits pyroscope large.folded larger.folded
