#!/bin/sh
# deb.sh TOLL SOURCE DIST WORK - the release's Debian packages. lintian must find no error in them. They are unpacked into an
# empty root by dpkg itself, and there the command must print what TOLL prints; a program must compile and link by pkg-config,
# with the shared and with the static library, and leave the profile that examples/embed expects; Lua must load its module
# from there, and `toll run` of there must find it.
. "$(dirname "$0")/common.sh"
needs dpkg lintian lua5.4 pkg-config gcc readelf

lintian --fail-on error "$dist"/*.dsc "$dist"/*.deb >lintian 2>&1 || { cat lintian; fail "lintian"; }
grep '^W:' lintian # for people

root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
as_root=
[ "$(id -u)" = 0 ] || as_root="--force-not-root"
# What they depend on is outside of this root, and so are the programs that dpkg asks for.
# shellcheck disable=SC2086 # the option is a word
dpkg --root="$root" --force-depends --force-bad-path --force-script-chrootless $as_root --log="$work/dpkg.log" -i "$dist"/*.deb \
    >"$work/log" 2>&1 || { tail -20 "$work/log"; fail "dpkg -i"; }
[ "$(dpkg --root="$root" -l | grep -c '^ii')" = 5 ] || { dpkg --root="$root" -l; fail "not five packages are installed"; }
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
libraries=$root/usr/lib/$triplet

# --- the command ---------------------------------------------------------------------------------------

same() { # arguments of toll...
    "$native" "$@" >built.out 2>&1
    "$root/usr/bin/toll" "$@" >deb.out 2>&1
    [ -s deb.out ] && cmp built.out deb.out || fail "toll $*: not what the built command prints"
}
for input in "$data"/*.folded; do
    same report "$input"
    same report --json "$input"
    same convert -q --to speedscope -o - "$input"
done
printf '_ZNSt6vectorIiSaIiEE9push_backEOi;_RNvC5crate4main 3\n' >symbols.folded
same report symbols.folded
for page in toll toll-report; do
    [ -s "$root/usr/share/man/man1/$page.1.gz" ] || fail "there is no man page $page"
done
for name in toll/NOTICE toll/wasi-libc lua-toll/NOTICE libtoll-dev/NOTICE; do
    [ -s "$root/usr/share/doc/$name" ] || [ -s "$root/usr/share/doc/$name.gz" ] || fail "there is no $name"
done
[ -s "$root/usr/share/doc/toll/lua.md" ] || fail "there is no manual"

# --- the library ---------------------------------------------------------------------------------------

flags() { # option...
    PKG_CONFIG_SYSROOT_DIR='' PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config "$@" toll
}
# shellcheck disable=SC2046 # the flags are words
gcc -std=c11 -Werror "$source/examples/embed/tinyvm.c" $(flags --cflags --libs) -o shared &&
    readelf -d shared | grep -q 'NEEDED.*libtoll\.so\.' && expect_profile "the shared library" ./shared "$libraries" || fail "pkg-config"
# shellcheck disable=SC2046
gcc -std=c11 -Werror "$source/examples/embed/tinyvm.c" $(flags --static --cflags --libs | sed 's/-ltoll/-l:libtoll.a/') -o static &&
    expect_profile "the static library" ./static || fail "pkg-config --static"

# --- Lua -----------------------------------------------------------------------------------------------

modules=$(dirname "$native")/../lib/lua
for lua_version in 5.1 5.2 5.3 5.4; do
    command -v lua$lua_version >/dev/null 2>&1 && [ -e "$modules/$lua_version/toll.so" ] || { echo "Lua $lua_version: not here"; continue; }
    expect_same_module "Lua $lua_version" "$libraries/lua/$lua_version/toll.so" "$modules/$lua_version/toll.so" lua$lua_version
    [ -e "$root/usr/share/lua/$lua_version/toll/busted.lua" ] || fail "Lua $lua_version: no toll.busted"
done
runs() { # name, command: NAME.folded
    TOLL_LUA_DIR=$libraries/lua "$2" run -q --ticks --clock none -o run.pb.gz lua5.4 "$source/examples/nqueens.lua" 6 >/dev/null || fail "$2 run"
    "$native" convert -q --to folded --value ticks -o "$1.folded" run.pb.gz
}
runs built "$native"
runs deb "$root/usr/bin/toll"
[ -s deb.folded ] && cmp built.folded deb.folded || fail "toll run: other ticks than the built command's"
[ $failed = 1 ] || echo "the packages do what the build does: $(cd "$dist" && ls ./*.deb | wc -l) packages, $(grep -c '^W:' lintian) warnings of lintian"
exit $failed
