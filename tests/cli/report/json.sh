$TOLL report --json $DATA/example.folded
