$TOLL annotate
$TOLL annotate $DATA/lines/before.pb.gz smu
$TOLL annotate $DATA/lines/before.pb.gz wrk.h
$TOLL annotate $DATA/lines/before.pb.gz nothing_like_it
$TOLL annotate $DATA/example.folded
$TOLL annotate $DATA/transfer.log
$TOLL annotate --value calls $DATA/lines/before.pb.gz
$TOLL annotate --value tick $DATA/lines/before.pb.gz
$TOLL annotate --prefix-map /build $DATA/lines/before.pb.gz
