cp "$DATA/lines/before.pb.gz" . && cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h
touch -d 2020-01-01 before.pb.gz work.h
touch -d 2020-01-02 work.c
$TOLL annotate --source-dir . before.pb.gz sum >/dev/null
$TOLL annotate --source-dir . before.pb.gz square >/dev/null
printf '/* short */\n' >work.c
$TOLL annotate -q --source-dir . before.pb.gz sum
