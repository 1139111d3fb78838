printf '\0asm\001\0\0\0' >app.wasm
echo 'x = 1' >script.lua
$TOLL run --inlines -o app.pb.gz app.wasm
echo $?
$TOLL run --inlines --lines -o script.pb.gz script.lua
echo $?
$TOLL run --skip-line-zero -o app.pb.gz app.wasm
echo $?
$TOLL run --skip-line-zero --lines -o script.pb.gz script.lua
echo $?
ls
