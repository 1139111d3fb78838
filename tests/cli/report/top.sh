$TOLL report $DATA/example.folded
