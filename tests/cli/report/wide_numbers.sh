# Columns are as wide as their numbers, with a blank between any two.
printf 'main 7383750059799926123\nmain;f 46478738375005\nmain;f;g 3\n' >wide.folded
"$TOLL" report --tree wide.folded
printf 'main 738375005\nmain;f 46478\n' >narrow.folded
"$TOLL" diff wide.folded narrow.folded
