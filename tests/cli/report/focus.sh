$TOLL report --focus h $DATA/example.folded
