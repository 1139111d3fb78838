title() { sed -n '/id="toll-header"/,/<\/script>/p' | grep '"title"'; }
$TOLL report --html $DATA/example.folded | title
$TOLL report --html - <$DATA/example.folded | title
$TOLL report --html --value no $DATA/example.folded | title
