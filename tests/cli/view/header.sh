# The page's header describes the profile; convert makes the same page, except for source files.
header() { sed -n '/id="toll-header"/,/<\/script>/p' $1 | grep -v '"generator"'; }
cp "$DATA/lines/before.pb.gz" .
$TOLL view -q before.pb.gz -o page.html && header page.html
$TOLL convert before.pb.gz -o other.html && header other.html | grep title
$TOLL view $DATA/sbf.logs -o page.html && header page.html | grep -A30 threads | grep -v bytes
# Of a heap, the functions that only allocate for their callers are named by their places in the page's list; of other profiles not.
printf 'main;make;malloc 5\nmain;calloc 7\n' >heap.folded
$TOLL view -q --value alloc_space --unit bytes heap.folded -o page.html && header page.html | grep allocators
$TOLL view -q heap.folded -o page.html && header page.html | grep allocators || echo "no allocators"
