header() { sed -n '/id="toll-header"/,/<\/script>/p' $1 | grep -v '"generator"'; }
$TOLL view $DATA/after.folded $DATA/example.folded -o page.html && header page.html
$TOLL view $DATA/after.folded $DATA/trace.json -o page.html && header page.html | grep -A9 values
