$TOLL convert $DATA/example.folded --prune 40% --to folded -o -
