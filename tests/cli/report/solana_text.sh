$TOLL report --tree $DATA/transfer.log
