# What Solana's options are for, and this file is not; each is said once.
for option in "--costs none" "--idl none" --by-transaction; do
    $TOLL convert $option "$DATA/example.folded" --to folded >out
    cmp out "$DATA/example.folded"
done
$TOLL convert --costs none "$DATA/transfer.log" -o x.pb.gz
