# What Parca would change: a label with two values, and two labels whose names become one. What it would refuse: a column
# with a point in its name. It has no limits of stacks, nor of their depth.
printf 'main;f 30\nmain 10\n' >in.folded
"$TOLL" convert -q --label a-b=1 --label a.b=2 --label test=x --label test=y in.folded -o labels.pb.gz
"$TOLL" check --limits parca labels.pb.gz
echo "$?"
"$TOLL" convert -q --unit count --value gas.used in.folded -o column.pb.gz
"$TOLL" check --limits parca column.pb.gz
echo "$?"
awk 'BEGIN { for (i = 0; i < 1200; i++) printf "f%d;", i; print "g;h;i 30"; for (i = 1; i <= 16001; i++) print "main;f" i " 1" }' >deep.folded
"$TOLL" check --limits parca deep.folded
