# A history: each commit comes back, a change is found at its commit, moved functions are the same, labels stay.
run() { # FILE LINES: ticks of two tests
    printf '%b' "$2" >run.folded
    $TOLL convert -q run.folded --value ticks --unit count --label test=a --label "commit=$1" -o "$1.pb.gz"
}
run a1 'main;parse;lex 100\nmain;emit 50\n'
run b2 'main;parse;lex 100\nmain;emit 50\n'
run c3 'main;parse;lex 107\nmain;emit 50\n'
run d4 'main;parse;lex 107\nmain;emit 47\nmain;parse;lex;parse 5\n'
for commit in a1 b2 c3; do $TOLL history add history.pb.gz $commit.pb.gz; done
$TOLL history add --commit named history.pb.gz d4.pb.gz
$TOLL history list history.pb.gz
$TOLL history blame history.pb.gz parse
$TOLL history blame -n 1 history.pb.gz parse
$TOLL history blame --json history.pb.gz emit
for commit in a1 b2 c3; do
    $TOLL history show history.pb.gz $commit -o then.pb.gz
    $TOLL diff -q --by test then.pb.gz $commit.pb.gz | tail -1
done
$TOLL report -q --by test history.pb.gz
$TOLL history page history.pb.gz -o page.html && grep -c 'toll-block-between-0-0' page.html
$TOLL history prune history.pb.gz --keep 2
$TOLL history list history.pb.gz
$TOLL history show history.pb.gz c3 -o then.pb.gz
$TOLL diff -q then.pb.gz c3.pb.gz | tail -1
echo "== mistakes"
$TOLL history; echo "status $?"
$TOLL history ad history.pb.gz a1.pb.gz; echo "status $?"
$TOLL history blame history.pb.gz; echo "status $?"
$TOLL history blame history.pb.gz emi; echo "status $?"
$TOLL history add history.pb.gz c3.pb.gz; echo "status $?"
$TOLL history add --commit 'a b' history.pb.gz c3.pb.gz; echo "status $?"
$TOLL history add history.pb.gz "$DATA/example.folded"; echo "status $?"
$TOLL history list a1.pb.gz; echo "status $?"
$TOLL history list missing.pb.gz; echo "status $?"
$TOLL history show history.pb.gz a1 -o then.pb.gz; echo "status $?"
$TOLL history show history.pb.gz c3; echo "status $?"
$TOLL history prune history.pb.gz; echo "status $?"
$TOLL history prune history.pb.gz --keep 1
$TOLL history page history.pb.gz -o page.html; echo "status $?"
