. "$pages/common.sh"
make_script old.lua
make_script new.lua
make_wasm old.wasm
cp old.wasm new.wasm
echo 12 >input.txt
cat >old <<'END'
#!/bin/sh
[ "$1" != --profile ] || echo "main;parse 5" >"$2"
END
chmod +x old
cp old new
