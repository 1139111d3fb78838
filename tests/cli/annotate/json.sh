cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
$TOLL annotate --source-dir . --json $DATA/lines/before.pb.gz
$TOLL annotate -q --json $DATA/lines/before.pb.gz src/work.c
$TOLL annotate -q --json $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz sum
