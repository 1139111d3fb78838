$TOLL report --focsu x
$TOLL report a b --focsu=x -n 1
$TOLL report a b --leaks=x c
# A letter, first or last of several, behind operands.
$TOLL report a b -Zq
$TOLL report a -qZ b
$TOLL report -Z a
$TOLL report --nosuch
