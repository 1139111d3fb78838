cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
$TOLL annotate --source-dir . --top 3 $DATA/lines/before.pb.gz
$TOLL annotate --source-dir . --top 0 $DATA/lines/before.pb.gz work.c
{ printf "\n\n" && cat "$DATA/lines/work_c.txt"; } >moved.c && mkdir new && mv moved.c new/work.c && touch -d 2020-01-01 new/work.c
$TOLL annotate --source-dir new --top 2 $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz
$TOLL annotate --source-dir . --top 2 --json $DATA/lines/before.pb.gz
$TOLL annotate -q --top 1 --json $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz
$TOLL annotate --top 3 --full $DATA/lines/before.pb.gz
$TOLL annotate --top 3 -n 2 $DATA/lines/before.pb.gz
