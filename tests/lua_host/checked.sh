#!/bin/sh
# checked.sh LUA TEST... - the tests of lua_host with a LUA (lua5.1, ..., luajit) that is built here, with its
# own assertions and AddressSanitizer on. From the environment, as CMake writes it: SOURCE (this folder), SOURCES (of the
# host), BUILD (a folder to keep what is built), MODULES (lib/lua, built with the sanitizer), INCLUDE and LIBTOLL (the
# library, likewise), CC.
# Lua's sources come from crates.io. Exit 77: skipped, and why.
set -eu
lua=$1
shift
[ -n "$(command -v cargo)" ] || { echo "skipped: there is no cargo to fetch Lua's sources with"; exit 77; }
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 78 ] || { echo "skipped: $(cargo --version) is older than 1.78"; exit 77; }
target=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$BUILD"
cd "$BUILD"

cargo fetch --quiet --locked --target "$target" --manifest-path "$SOURCE/lua_sources/Cargo.toml" >"$lua.fetch" 2>&1 ||
    { cat "$lua.fetch"; echo "FAILED: Lua's sources could not be fetched from crates.io"; exit 1; }
crates=${CARGO_HOME:-$HOME/.cargo}/registry/src
plain_lua() { # version: liblua.so and its headers
    sources=$(echo "$crates"/*/lua-src-547.0.0/lua-"$1")
    cp "$sources"/*.h "$lua"
    # shellcheck disable=SC2086 # flags are words
    $CC $flags -w -std=gnu99 -shared -fPIC -DLUA_USE_LINUX -DLUA_USE_APICHECK -DLUA_COMPAT_5_3 -DLUA_COMPAT_5_2 \
        -include assert.h '-Dlua_assert(c)=assert(c)' -o "$lua/liblua.so" "$sources"/l*.c -lm -ldl
}
luajit() {
    cp -r "$(echo "$crates"/*/luajit-src-210.5.10*/luajit2)" "$lua/luajit2"
    echo 0 >"$lua/luajit2/.relver"
    make -C "$lua/luajit2/src" CC="$CC" BUILDMODE=dynamic TARGET_CFLAGS="$flags -w" TARGET_SHLDFLAGS="$flags" \
        XCFLAGS="-DLUA_USE_APICHECK -DLUA_USE_ASSERT -DLUAJIT_USE_SYSMALLOC" libluajit.so >"$lua/log" 2>&1 ||
        { tail -20 "$lua/log"; return 1; }
    cp "$lua"/luajit2/src/*.h "$lua"
    cp "$lua/luajit2/src/libluajit.so" "$lua/libluajit-5.1.so.2" # its name for the loader
    cp "$lua/luajit2/src/libluajit.so" "$lua/liblua.so"
}

flags="-fsanitize=address -fno-omit-frame-pointer -O1 -g"
if [ ! -e "$lua/built" ]; then
    rm -rf "$lua"
    mkdir "$lua"
    case $lua in
    lua5.1) plain_lua 5.1.5 ;;
    lua5.2) plain_lua 5.2.4 ;;
    lua5.3) plain_lua 5.3.6 ;;
    lua5.4) plain_lua 5.4.7 ;;
    luajit) luajit ;;
    esac
    : >"$lua/built"
fi
version=${lua#lua}
[ "$lua" = luajit ] && version=5.1
# shellcheck disable=SC2086 # flags and libraries are words
$CC $flags -fsanitize=undefined -std=gnu11 -D_DEFAULT_SOURCE -DHOST_MODULES="\"$MODULES/$version\"" -I"$lua" -I"$INCLUDE" \
    -rdynamic -o "$lua/host" $SOURCES -L"$lua" -l:liblua.so "-Wl,-rpath,$BUILD/$lua" $LIBTOLL -lm -ldl -lpthread
failed=0
for test in "$@"; do
    for mode in layout portable; do
        "$lua/host" "$test" $mode >"$lua/$test.$mode" 2>&1 || {
            echo "FAILED: $lua: $test $mode:"
            head -40 "$lua/$test.$mode"
            failed=1
        }
    done
done
exit $failed
