# toll doctor, and the five lines of toll without arguments, with everything that toll run needs and without.
mkdir -p programs lua/5.1 lua/5.4 wasm
touch wasm/toll.wasm
version=$("$TOLL" --version | sed -n '1s/.* //p')
printf 'Lua module of Toll %s' "$version" | tee lua/5.1/toll.so >lua/5.4/toll.so
printf '// run.cjs of Toll %s\n' "$version" >wasm/run.cjs
for name in luajit lua5.4 node viewer; do
    printf '#!/bin/sh\n' >programs/$name
    chmod +x programs/$name
done
touch programs/lua5.1 # not executable
guests() { # what depends on the machine or the version is left out
    path=$1
    shift
    env -i PATH="$path" "$@" "$TOLL" doctor | grep -E '^(yes|no  ) |^  ' | grep -v 'agave'
}
echo "--- all is there"
guests "$PWD/programs" TOLL_LUA_DIR=lua TOLL_WASM_DIR=wasm BROWSER="nothing:viewer --new %s"
echo "--- without standard input, whose number files get"
guests "$PWD/programs" TOLL_LUA_DIR=lua TOLL_WASM_DIR=wasm <&-
echo "--- modules of one version, beside the command"
mkdir -p there/bin there/lib64/lua && cp "$TOLL" there/bin && cp -r lua/5.4 there/lib64/lua
(TOLL=$PWD/there/bin/toll && guests "$PWD/programs" TOLL_WASM_DIR=wasm) | grep -c '^yes  Lua'
echo "--- no programs"
guests /nowhere TOLL_LUA_DIR=lua TOLL_WASM_DIR=wasm
echo "--- folders without modules"
guests "$PWD/programs" TOLL_LUA_DIR=wasm TOLL_WASM_DIR=lua BROWSER=nothing
echo "--- toll alone"
env -i PATH="$PWD/programs" TOLL_LUA_DIR=lua TOLL_WASM_DIR=wasm "$TOLL"
echo "status $?"
env -i PATH=/nowhere TOLL_LUA_DIR=lua TOLL_WASM_DIR=wasm "$TOLL"
echo "--- what the build has: as toll --version says"
"$TOLL" doctor | sed '1d; /^yes /d; /^no /d; /^  /d; /^$/d' >doctor
"$TOLL" --version | sed 1d | diff - doctor && echo equal
"$TOLL" doctor file
