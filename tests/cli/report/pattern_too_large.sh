# Nested repeats: refused at once, in a few kilobytes.
$TOLL report --max-memory 100M --focus "((((a{1,200}){1,200}){1,200}){1,200})" $DATA/example.folded
