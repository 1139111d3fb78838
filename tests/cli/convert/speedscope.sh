$TOLL convert $DATA/example.folded --to speedscope -o -
