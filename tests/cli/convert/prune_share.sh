$TOLL convert $DATA/example.folded --prune 1 --to folded -o -
