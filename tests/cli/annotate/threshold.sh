cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
$TOLL annotate --source-dir . --threshold 30% $DATA/lines/before.pb.gz
$TOLL annotate --source-dir . --threshold 30% --full $DATA/lines/before.pb.gz main
$TOLL annotate -q --threshold 30% --json $DATA/lines/before.pb.gz
$TOLL annotate -q --threshold 50% $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz
$TOLL annotate -q --asm --threshold 10% --debug $DATA/asm/tiny.wasm $DATA/asm/asm.pb.gz
$TOLL annotate --threshold 1 $DATA/lines/before.pb.gz
