$TOLL report --tree --logs $DATA/sbf.logs $DATA/sbf
$TOLL report --json --logs $DATA/sbf.logs $DATA/sbf | grep fn@
