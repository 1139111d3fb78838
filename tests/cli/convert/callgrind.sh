$TOLL convert $DATA/example.folded --to callgrind -o -
