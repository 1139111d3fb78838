$TOLL report --tree $DATA/example.folded
