# The error names the part of a pattern that is not supported.
$TOLL report --focus "(((((a*)*)*)*)*)*\\1z" $DATA/example.folded
