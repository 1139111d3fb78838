$TOLL view $DATA/example.folded -o /dev/full
$TOLL convert $DATA/example.folded --to html -o /dev/full
