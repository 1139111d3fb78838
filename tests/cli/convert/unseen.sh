# Names that differ by a character that nobody sees stay two; what turns text around, or ends a line, is a blank in formats of lines.
printf 'main;zero\342\200\213width 5\nmain;zerowidth 2\nmain;turn\342\200\256ed 3\n' >unseen.folded
$TOLL convert --to folded -o - unseen.folded
$TOLL convert -q --to callgrind -o - unseen.folded | grep '^fn='
