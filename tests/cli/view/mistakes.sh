$TOLL view
$TOLL view a b c # snapshots
$TOLL view nowhere.pb.gz -o page.html
$TOLL view $DATA/example.folded $DATA/bad.folded -o page.html
$TOLL view $DATA/example.folded -o nowhere/page.html
$TOLL view --value tick $DATA/example.folded -o page.html
$TOLL view --prefix-map /build $DATA/example.folded -o page.html
$TOLL view --max-memory 100k $DATA/example.folded -o page.html
ls
$TOLL view $DATA/example.folded -o page.html
$TOLL convert page.html -o out.folded
