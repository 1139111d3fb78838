# Names that differ in an invisible character stay distinct. In line-based formats a blank replaces a character that
# sets the direction of text or ends a line.
printf 'main;zero\342\200\213width 5\nmain;zerowidth 2\nmain;turn\342\200\256ed 3\n' >unseen.folded
$TOLL convert --to folded -o - unseen.folded
$TOLL convert -q --to callgrind -o - unseen.folded | grep '^fn='
