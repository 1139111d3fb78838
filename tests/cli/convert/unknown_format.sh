$TOLL convert $DATA/example.folded --to fold -o x
