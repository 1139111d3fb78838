$TOLL convert $DATA/transfer.log --to folded -o -
$TOLL convert $DATA/simulated.json -o x.pb.gz && $TOLL convert x.pb.gz --to folded -o - -q
$TOLL convert $DATA/example.folded -o x.log
$TOLL report --from solana $DATA/trace.json
$TOLL report --from solana $DATA/example.folded
