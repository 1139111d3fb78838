cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
$TOLL annotate --source-dir . $DATA/lines/before.pb.gz
echo
$TOLL annotate --source-dir . -n 1 --color always $DATA/lines/before.pb.gz
