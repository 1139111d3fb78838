$TOLL report $DATA/recursion.folded
