$TOLL report --sort size $DATA/example.folded
