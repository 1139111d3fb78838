#!/bin/sh
# rock.sh TOLL SOURCE DIST WORK MODULES - the release's rock, installed with LuaRocks alone, for Lua 5.1 and 5.4, each into a
# tree of its own: a script that profiles itself with it must write the bytes that it writes with the module of the build
# (MODULES/5.X/toll.so); LuaJIT, too, with that of 5.1.
. "$(dirname "$0")/common.sh"
modules=$1
needs luarocks gcc
rock=$(file_of "toll-*.src.rock")
export HOME="$work/home" XDG_CACHE_HOME="$work/home"
mkdir -p "$HOME"

tried=0
for lua_version in 5.1 5.4; do
    command -v "lua$lua_version" >/dev/null 2>&1 && [ -e "$modules/$lua_version/toll.so" ] || { echo "Lua $lua_version: not here"; continue; }
    rm -rf "$work/tree"
    luarocks --lua-version $lua_version install --tree "$work/tree" "$rock" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "luarocks install for Lua $lua_version"; continue; }
    grep -i 'warning:' "$work/log" && fail "Lua $lua_version: the compiler warns"
    installed=$work/tree/lib/lua/$lua_version
    visible=$(nm -D --defined-only "$installed/toll.so" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort | xargs)
    [ "$visible" = "luaopen_toll toll_attach toll_attach_end" ] || fail "Lua $lua_version: the module's visible functions are $visible"
    [ -e "$work/tree/share/lua/$lua_version/toll/busted.lua" ] || fail "Lua $lua_version: no toll.busted"
    interpreters=lua$lua_version
    [ $lua_version != 5.1 ] || ! command -v luajit >/dev/null 2>&1 || interpreters="$interpreters luajit"
    for lua in $interpreters; do
        tried=$((tried + 1))
        expect_same_module "$lua" "$installed/toll.so" "$modules/$lua_version/toll.so" "$lua"
        # Those two have the time of the start.
        for what in made built; do gzip -dc $what.pb.gz | wc -c; grep -c . <$what.html; done >sizes
        [ "$(sed -n '1,2p' sizes)" = "$(sed -n '3,4p' sizes)" ] || fail "$lua: profiles and pages of other sizes: $(cat sizes)"
        # The end of the process writes what was not stopped, after the state of Lua has closed.
        LUA_CPATH="$installed/?.so" $lua -e 'require "toll".start { output = "end.folded", clock = "none" } local function f() end f()' &&
            grep -q ';f ' end.folded || fail "$lua: no file at the end of the process"
        rm -f end.folded
        echo "$lua: the rock's module writes what the built one does"
    done
done
[ $tried -gt 0 ] || [ $failed -gt 0 ] || skip "there is neither Lua 5.1 nor 5.4, or no module of the build"
exit $failed
