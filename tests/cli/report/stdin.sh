cat $DATA/example.folded | $TOLL report --sort total -n 1
