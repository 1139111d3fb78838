printf '\0asm\1\0\0\0' >empty.wasm
printf '\n# mine\ni32.ad 3\n' >wrong
printf 'i32.add 3\n* 1000000\nentry 4294967295\n' >mine
"$TOLL" instrument --costs mine --depth 300 empty.wasm -o new.wasm && tail -c 47 new.wasm | od -c
"$TOLL" instrument --costs fuel empty.wasm -o new.wasm && tail -c 40 new.wasm | od -c
"$TOLL" instrument --costs wrong empty.wasm -o none.wasm || echo "status $?"
"$TOLL" instrument --costs feul empty.wasm -o none.wasm || echo "status $?"
echo '{ "costs": { "invoke_units": 1000 } }' >syscalls
"$TOLL" instrument --costs syscalls empty.wasm -o none.wasm || echo "status $?"
"$TOLL" instrument --depth -1 empty.wasm -o none.wasm || echo "status $?"
ls
