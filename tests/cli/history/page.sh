# The page of a history: its first and last commit, and those between that changed something.
for n in 1 2 3 4 5 6 7 8; do
    printf 'main;f %d\n' $((n / 2 + 1)) >f.folded
    $TOLL convert -q f.folded --value ticks --unit count -o run.pb.gz
    $TOLL history add --commit "k$n" history.pb.gz run.pb.gz
    if [ "$n" = 1 ]; then # of one commit there is none
        $TOLL history page history.pb.gz -o page.html
        echo "status $?"
    fi
done
page() {
    $TOLL history page history.pb.gz "$@" -o page.html
    echo "$?: $(grep -o '<title>k[^<]*' page.html) $(grep -o '"k[0-9]"' page.html | tr '\n' ' ')" \
        "$(grep -c '"toll-block-between-[0-9]*-0"' page.html)"
}
page
page --keep 3
page --keep 2
$TOLL history page history.pb.gz --keep 1 -o page.html; echo "status $?"
$TOLL history prune history.pb.gz --keep 7
page
# The last one is on it, whether it changed something or not.
$TOLL history add --commit k9 history.pb.gz run.pb.gz
page --keep 3
$TOLL history list history.pb.gz
# No more than 30.
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32; do
    printf 'main;f %d\n' "$n" >f.folded
    $TOLL convert -q f.folded --value ticks --unit count -o run.pb.gz
    $TOLL history add --commit "m$n" many.pb.gz run.pb.gz
done
$TOLL history page many.pb.gz -o page.html && grep -o '<title>m[0-9][^<]*' page.html
$TOLL history page many.pb.gz --keep 100 -o page.html && grep -o '<title>m[0-9][^<]*' page.html
# Options that are of other actions.
wrong() {
    $TOLL history "$@" 2>&1
    echo "status $?"
}
wrong add history.pb.gz
wrong add --keep 3 history.pb.gz run.pb.gz
wrong add --json history.pb.gz run.pb.gz
wrong add -n 3 history.pb.gz run.pb.gz
wrong list history.pb.gz more
wrong list --across history.pb.gz
wrong blame history.pb.gz f g
wrong blame -o x history.pb.gz f
wrong show history.pb.gz
wrong show --keep 3 history.pb.gz k9 -o x.pb.gz
wrong page --commit x history.pb.gz -o x.html
wrong page history.pb.gz
wrong prune -o x.pb.gz history.pb.gz
wrong prune --keep 0 history.pb.gz
wrong show history.pb.gz '' -o x.pb.gz
# The commit is that of the profile's labels, if they name one.
for commit in p q; do
    $TOLL convert -q f.folded --value ticks --unit count --label commit=$commit -o $commit.pb.gz
done
wrong add own.pb.gz p.pb.gz
$TOLL merge -q p.pb.gz q.pb.gz -o both.pb.gz
wrong add own.pb.gz both.pb.gz
wrong add --commit r own.pb.gz both.pb.gz
wrong add own.pb.gz q.pb.gz q.pb.gz
wrong list own.pb.gz
