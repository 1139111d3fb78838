cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
mkdir src && mv work.c work.h src
$TOLL annotate --prefix-map /build=. --full $DATA/lines/before.pb.gz sum
$TOLL annotate --prefix-map /build=. $DATA/lines/before.pb.gz work.h
$TOLL annotate --prefix-map /build=. --value executions $DATA/lines/before.pb.gz squ
