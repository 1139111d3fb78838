#!/bin/sh
# names.sh TOLL LUA - the names of functions in a profile of names.lua: the one that most calls use; for C functions
# without a name, their place. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
. "$(dirname "$0")/begin.sh"
cp "$here/names.lua" .
failed=0
expect() { # a row of calls under the main chunk, as a pattern
    grep -q "^(lua);main chunk;$1\$" "$mode.folded" || { echo "FAILED: $lua, $mode: no row '$1'"; failed=1; }
}
for mode in layout portable; do
    [ $mode = portable ] && export TOLL_RUN_PORTABLE=1
    "$toll" run -q -o $mode.pb.gz "$lua" names.lua || { echo "FAILED: $lua, $mode: names.lua failed"; exit 1; }
    unset TOLL_RUN_PORTABLE
    "$toll" convert -q --value calls $mode.pb.gz -o $mode.folded
    expect 'leaf 31'
    expect 'own 31'
    expect 'passed 30'
    expect 'pcall;passed 1'
    expect 'names.lua:20 1'
    expect 'names.lua:23 2'
    case $lua in
    lua5.1 | lua) ;; # 5.1 reports the name by which a tail call is made
    *) expect 'only 3\|main chunk;names.lua:16 3' ;;
    esac
    expect 'pcall;FILE\*:write 1'
    expect 'FILE\*:close 1\|main chunk;io.close 1' # one function in 5.2
    grep 'generator\|integer index' $mode.folded && { echo "FAILED: $lua, $mode: names of Lua's own"; failed=1; }
    # LuaJIT's built-in functions have a number, which takes its layout.
    [ "$lua" = luajit ] && [ $mode = portable ] && continue
    for calls in 4 5 6; do
        expect "[^;]*+0x[0-9a-f]* $calls\|main chunk;built-in #[0-9]* $calls"
    done
done
[ "$lua" = luajit ] || cmp -s layout.folded portable.folded || { echo "FAILED: $lua: two modes"; failed=1; }
[ $failed = 0 ] || cat layout.folded portable.folded
exit $failed
