# Solana's options with a file that is not Solana's: each causes one message.
for option in "--costs none" "--idl none" --by-transaction; do
    $TOLL convert $option "$DATA/example.folded" --to folded >out
    cmp out "$DATA/example.folded"
done
$TOLL convert --costs none "$DATA/transfer.log" -o x.pb.gz
