$TOLL report --tree --logs $DATA/sbf.logs $DATA/sbf
