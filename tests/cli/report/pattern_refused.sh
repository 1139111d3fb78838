# What patterns do not have is named.
$TOLL report --focus "(((((a*)*)*)*)*)*\\1z" $DATA/example.folded
