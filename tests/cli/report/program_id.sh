# ID=FILE: an ID is 32 to 44 letters and digits; anything else before the sign of equality belongs to the file's name.
for size in 31 32 44 45; do
    id=$(printf '%*s' $size '' | tr ' ' A)
    "$TOLL" report -q --idl "$id=none.json" "$DATA/transfer.log"
done
"$TOLL" report -q --idl "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.=none.json" "$DATA/transfer.log"
"$TOLL" report -q --idl "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" "$DATA/transfer.log"
