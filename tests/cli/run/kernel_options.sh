printf '\0asm\001\0\0\0' >app.wasm
echo '[]' >inbox.json
for option in inbox preimages preimage-endpoint dal-pages-dir installer-config rollup pvm-version run show; do
    $TOLL run --$option inbox.json -o app.pb.gz app.wasm
    echo $?
done
$TOLL run --inbox inbox.json script.lua
echo $?
$TOLL run --kernel app.wasm
echo $?
$TOLL run --costs pvm --lines -o app.pb.gz app.wasm
echo $?
ls
