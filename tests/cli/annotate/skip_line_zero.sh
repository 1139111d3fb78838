$TOLL annotate --skip-line-zero --top 1 $DATA/lines/before.pb.gz
