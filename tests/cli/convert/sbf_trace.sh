$TOLL convert -q $DATA/sbf --to folded -o -
