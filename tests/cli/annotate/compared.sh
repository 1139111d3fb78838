printf "\n\n" | cat - "$DATA/lines/work_c.txt" >work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
$TOLL annotate --source-dir . $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz
$TOLL annotate --source-dir . $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz main
$TOLL annotate --source-dir . $DATA/lines/before.pb.gz $DATA/lines/before.pb.gz
