$TOLL convert $DATA/example.folded --to perfview -o -
