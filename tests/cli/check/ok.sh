$TOLL check $DATA/example.folded | sed "s|.*/||"
