$TOLL annotate $DATA/lines/before.pb.gz
