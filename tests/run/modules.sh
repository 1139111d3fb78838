#!/bin/sh
# modules.sh TOLL LIB - Lua modules (and run.cjs) that are of another version of Toll than the command are refused before the program
# runs, and toll doctor says which version they are of.
. "$(dirname "$0")/support.sh"
version=$("$toll" --version | sed -n '1s/.* //p')
wanted="install the Lua modules of Toll $version, or set TOLL_LUA_DIR to the folder that contains their 5.X/toll.so"

# The build's own module, with another version of the same length in it.
other=$(printf %s "$version" | tr 0-8 1-9)
mkdir -p other/5.4 none/5.4 mixed/5.1
perl -pe "s/Lua module of Toll \K\Q$version\E/$other/" "$lib/lua/5.4/toll.so" >other/5.4/toll.so
cmp -s "$lib/lua/5.4/toll.so" other/5.4/toll.so && fail "the module does not contain its version"
TOLL_LUA_DIR=$work/other run 1 ok.lua
never_ran "a module of another version"
said "toll: $work/other/5.4/toll.so is of Toll $other, and this command of Toll $version: $wanted"
[ ! -e toll.pb.gz ] || fail "a module of another version wrote a profile"

# A module that does not know the question.
cat >unknown.c <<'S'
struct lua_State;
extern void lua_createtable(struct lua_State *L, int array, int record);
int luaopen_toll(struct lua_State *L)
{
    lua_createtable(L, 0, 0);
    return 1;
}
S
cc -shared -fPIC unknown.c -o none/5.4/toll.so || exit 1
TOLL_LUA_DIR=$work/none run 1 ok.lua
never_ran "a module without a version"
said "toll: $work/none/5.4/toll.so is of another version of Toll, and this command of Toll $version: $wanted"

# doctor FOLDER: its row about Lua, and what to do.
doctor() { TOLL_LUA_DIR=$1 "$toll" doctor | sed -n '/^[yn].* Lua /{s/  */ /g;p;n;/^  /{s/  */ /g;p}}'; }
doctor other >rows
printf 'no Lua other/5.4/toll.so is of Toll %s, and this command of Toll %s\n to get it: %s\n' "$other" "$version" "$wanted" |
    diff - rows || fail "toll doctor, of another version"
doctor none | grep -q '^no Lua none/5.4/toll.so is of another version of Toll, and' || fail "toll doctor, without a version"
# The one of its own version remains.
cp -r other/5.4 mixed/5.1 && cp -r "$lib/lua/5.4" mixed/5.4 && mv mixed/5.1/5.4/toll.so mixed/5.1
doctor mixed | grep -q '^yes Lua .*lua5.4.*; modules for 5.4 in mixed$' || fail "toll doctor, of two versions: $(doctor mixed)"
TOLL_LUA_DIR=$work/mixed run 0 -q ok.lua
ran "the module of the command's version, beside another"

# The same of what runs WebAssembly.
if [ -e "$lib/toll.wasm" ] && command -v node >/dev/null 2>&1; then
    mkdir wasm
    cp "$lib/toll.wasm" wasm
    perl -pe "s/run.cjs of Toll \K\Q$version\E/$other/" "$lib/run.cjs" >wasm/run.cjs
    cmp -s "$lib/run.cjs" wasm/run.cjs && fail "run.cjs does not contain its version"
    printf '\0asm\1\0\0\0' >none.wasm
    TOLL_WASM_DIR=$work/wasm run 1 none.wasm
    said "toll: $work/wasm/run.cjs is of Toll $other, and this command of Toll $version: install toll.wasm and run.cjs of Toll $version, or set TOLL_WASM_DIR to the folder that contains them"
else
    echo "skipped for WebAssembly: there is no toll.wasm in this build, or no node"
fi
finish
