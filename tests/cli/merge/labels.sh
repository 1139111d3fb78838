# Labels are set on merging, kept apart, selected and grouped. Neither the order nor the number of threads matters.
echo 'main;f 1' >a.folded
echo 'main;f 2' >b.folded
echo 'main;f 4' >c.folded
$TOLL merge a.folded --label commit=1 --label host=a -o a.pb.gz
$TOLL merge b.folded --label commit=1 --label 'host=b, c' -o b.pb.gz
$TOLL convert c.folded --label commit=2 --label host=a -o c.pb.gz
$TOLL merge a.pb.gz b.pb.gz c.pb.gz -o all.pb.gz
$TOLL merge -j 2 c.pb.gz b.pb.gz a.pb.gz -o other.pb.gz
cmp all.pb.gz other.pb.gz && echo same
$TOLL merge b.pb.gz c.pb.gz -o bc.pb.gz
$TOLL merge bc.pb.gz a.pb.gz -o other.pb.gz
cmp all.pb.gz other.pb.gz && echo same
$TOLL report --tree all.pb.gz
$TOLL report --tree --by host all.pb.gz
$TOLL report --tree --by commit,host --where commit=1 all.pb.gz
$TOLL convert all.pb.gz --where commit=2 --where 'host=b, c' --where host=a --to folded -o -
$TOLL convert all.pb.gz --by commit --to speedscope -o - | grep -o '"name":"commit[^"]*"'
$TOLL diff --by commit all.pb.gz all.pb.gz
$TOLL report --json all.pb.gz | grep -A1 '^"threads"'
$TOLL merge --by thread all.pb.gz -o sum.pb.gz
$TOLL report --json sum.pb.gz | grep -A1 '^"threads"'
$TOLL convert all.pb.gz --label host=c --where commit=1 --to pprof -o - | $TOLL report --json - | grep '^"labels"'
$TOLL report all.pb.gz --where commit=3
$TOLL report all.pb.gz --where commit
$TOLL merge all.pb.gz --label thread=x -o no.pb.gz
$TOLL check all.pb.gz
$TOLL report all.pb.gz | head -1
