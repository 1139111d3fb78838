# tiny.wat, by toll run --lines --clock none --invoke run -o asm.pb.gz tiny.wasm 10; the module is beside the profile.
$TOLL annotate --asm $DATA/asm/asm.pb.gz
$TOLL annotate --asm --json $DATA/asm/asm.pb.gz twice
cp $DATA/asm/asm.pb.gz .
$TOLL annotate --asm asm.pb.gz
cp $DATA/asm/tiny.wasm other.wasm
$TOLL annotate -q --asm --debug other.wasm asm.pb.gz twice
printf '\0asm\1\0\0\0' >tiny.wasm
$TOLL annotate --asm asm.pb.gz
$TOLL annotate --asm --debug tiny.wasm asm.pb.gz
$TOLL annotate --asm asm.pb.gz asm.pb.gz
$TOLL annotate --asm $DATA/example.folded
$TOLL annotate asm.pb.gz
