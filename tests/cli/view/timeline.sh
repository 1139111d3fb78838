# The page's timeline: of a Chrome trace, the same on standard output, in a comparison, and of a selection.
header() { sed -n '/id="toll-header"/,/<\/script>/p' $1 | grep -E 'timeline|"events"|notes'; }
$TOLL view $DATA/trace.json -o page.html && header page.html
$TOLL report --html $DATA/trace.json >other.html && cmp page.html other.html
$TOLL convert $DATA/trace.json -o other.html && cmp page.html other.html
$TOLL view $DATA/trace.json $DATA/trace.json -o page.html && header page.html
$TOLL view --ignore . $DATA/trace.json -o page.html && header page.html
# A timeline's own file opens in order of time, whichever command writes the page.
$TOLL convert -q $DATA/trace.json -o t.toll-timeline
$TOLL view t.toll-timeline -o page.html && grep -o '"layout":"time"' page.html
$TOLL convert t.toll-timeline -o other.html && cmp page.html other.html
