# What is an ID=FILE, and what is a file whose name has a '=': an ID is 32 to 44 letters and digits.
letters=ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz
for size in 31 32 44 45; do
    id=$(printf %.${size}s $letters)
    $TOLL convert --elf "$id=no.so" "$DATA/sbf" -o x.pb.gz
done
$TOLL convert --elf 0123456789012345678901234567890123456789=no.so "$DATA/sbf" -o x.pb.gz
$TOLL convert --elf 01234567890123456789-1234567890123456789=no.so "$DATA/sbf" -o x.pb.gz
$TOLL convert --elf 0123456789012345678901234567890123456789= "$DATA/sbf" -o x.pb.gz
$TOLL convert --elf 0123456789012345678901234567890123456789 "$DATA/sbf" -o x.pb.gz
