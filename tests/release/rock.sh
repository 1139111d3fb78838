#!/bin/sh
# rock.sh SOURCE WORK MODULES - makes the release's rock, and installs it with LuaRocks alone, for Lua 5.1 and 5.4, each into
# a tree of its own: a script that profiles itself with it must write the bytes that it writes with the module of the build
# (MODULES/5.X/toll.so); LuaJIT, too, with that of 5.1. Prints what differs; exit 77: no LuaRocks.
set -u
source=$1
work=$2
modules=$3
here=$source/tests/release
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
skip() {
    echo "skipped: $1"
    exit 77
}
git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "this is no clone of the repository"
for tool in luarocks python3 gcc cmake; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done

mkdir -p "$work"
cd "$work" || exit 1
RELEASE_DIST=$work/dist "$source/scripts/release" rock >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
rock=$(ls "$work"/dist/toll-*.src.rock)
export HOME="$work/home" XDG_CACHE_HOME="$work/home"
mkdir -p "$HOME"

profile() { # name, folder with toll.so, command...: NAME.txt and files of other kinds
    name=$1
    folder=$2
    shift 2
    # The path of the module is not in the files: all are loaded by the same.
    rm -f toll.so && cp "$folder/toll.so" toll.so || { fail "there is no $folder/toll.so"; return; }
    LUA_CPATH=./?.so "$@" "$here/rock.lua" "$name" >"$name.txt" || fail "$name: rock.lua"
    grep -q ' place' "$name.txt" || fail "$name: the report is $(cat "$name.txt")"
}

for version in 5.1 5.4; do
    command -v "lua$version" >/dev/null 2>&1 && [ -e "$modules/$version/toll.so" ] || { echo "Lua $version: not here"; continue; }
    rm -rf "$work/tree"
    luarocks --lua-version $version install --tree "$work/tree" "$rock" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "luarocks install for Lua $version"; continue; }
    grep -i 'warning:' "$work/log" && fail "Lua $version: the compiler warns"
    installed=$work/tree/lib/lua/$version
    [ "$(nm -D --defined-only "$installed/toll.so" | awk '$2 == "T" { print $3 }')" = luaopen_toll ] ||
        fail "Lua $version: the module has other visible functions than luaopen_toll"
    interpreters=lua$version
    [ $version != 5.1 ] || ! command -v luajit >/dev/null 2>&1 || interpreters="$interpreters luajit"
    for lua in $interpreters; do
        profile "rock-$lua" "$installed" "$lua"
        profile "built-$lua" "$modules/$version" "$lua"
        for kind in txt speedscope.json callgrind svg; do
            [ -s "rock-$lua.$kind" ] && cmp "rock-$lua.$kind" "built-$lua.$kind" || fail "$lua: another $kind than the built module's"
        done
        # Those two have the time of the start.
        for what in rock built; do gzip -dc $what-$lua.pb.gz | wc -c; grep -c . <$what-$lua.html; done >sizes
        [ "$(sed -n '1,2p' sizes)" = "$(sed -n '3,4p' sizes)" ] || fail "$lua: profiles and pages of other sizes: $(cat sizes)"
        # The end of the process writes what was not stopped, after the state of Lua has closed.
        LUA_CPATH="$installed/?.so" $lua -e 'require "toll".start { output = "end.folded", clock = "none" } local function f() end f()' &&
            grep -q ';f ' end.folded || fail "$lua: no file at the end of the process"
        rm -f end.folded
        echo "$lua: the rock's module writes what the built one does"
    done
done
exit $failed
