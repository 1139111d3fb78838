$TOLL diff $DATA/example.folded $DATA/after.folded
