$TOLL report --value time $DATA/example.folded
