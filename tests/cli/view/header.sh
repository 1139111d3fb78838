# The page's header describes the profile; convert makes the same page, except for source files.
header() { sed -n '/id="toll-header"/,/<\/script>/p' $1 | grep -v '"generator"'; }
cp "$DATA/lines/before.pb.gz" .
$TOLL view -q before.pb.gz -o page.html && header page.html
$TOLL convert before.pb.gz -o other.html && header other.html | grep title
$TOLL view $DATA/sbf.logs -o page.html && header page.html | grep -A30 threads | grep -v bytes
