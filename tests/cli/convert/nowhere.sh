$TOLL convert $DATA/example.folded
