#!/bin/sh
# deb.sh TOLL SOURCE WORK - makes the release's Debian packages. lintian must find no error in them. They are unpacked into an
# empty root by dpkg itself, and there the command must print what TOLL prints; a program must compile and link by pkg-config,
# with the shared and with the static library, and leave the profile that examples/embed expects; Lua must load its module
# from there, and `toll run` of there must find it. Prints what differs; exit 77: no debhelper, or no Debian 12.
set -u
toll=$1
source=$2
work=$3
data=$source/tests/cli/data
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
for tool in dh dpkg-buildpackage lintian python3 clang wasm-ld lua5.4; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done

mkdir -p "$work"
cd "$work" || exit 1
RELEASE_DIST=$work/dist "$source/scripts/release" deb >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
lintian --fail-on error "$work"/dist/*.dsc "$work"/dist/*.deb >"$work/lintian" 2>&1 || { cat "$work/lintian"; fail "lintian"; }
grep '^W:' "$work/lintian" # for people

root=$work/root
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
as_root=
[ "$(id -u)" = 0 ] || as_root="--force-not-root"
# What they depend on is outside of this root, and so are the programs that dpkg asks for.
# shellcheck disable=SC2086 # the option is a word
dpkg --root="$root" --force-depends --force-bad-path --force-script-chrootless $as_root --log="$work/dpkg.log" -i "$work"/dist/*.deb \
    >"$work/log" 2>&1 || { tail -20 "$work/log"; fail "dpkg -i"; }
[ "$(dpkg --root="$root" -l | grep -c '^ii')" = 5 ] || { dpkg --root="$root" -l; fail "not five packages are installed"; }
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
libraries=$root/usr/lib/$triplet

# --- the command ---------------------------------------------------------------------------------------

same() { # arguments of toll...
    "$toll" "$@" >built.out 2>&1
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
[ -s "$root/usr/share/doc/toll/lua.md" ] || fail "there is no manual"

# --- the library ---------------------------------------------------------------------------------------

expect_profile() { # what, program
    rm -f out.folded
    TOLL_OUT=$work/out.folded LD_LIBRARY_PATH=$libraries "$2" >/dev/null && diff "$source/examples/embed/expected.folded" out.folded || fail "$1"
}
flags() { # option...
    PKG_CONFIG_SYSROOT_DIR='' PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config "$@" toll
}
# shellcheck disable=SC2046 # the flags are words
gcc -std=c11 -Werror "$source/examples/embed/tinyvm.c" $(flags --cflags --libs) -o shared &&
    readelf -d shared | grep -q 'NEEDED.*libtoll\.so\.' && expect_profile "the shared library" ./shared || fail "pkg-config"
# shellcheck disable=SC2046
gcc -std=c11 -Werror "$source/examples/embed/tinyvm.c" $(flags --static --cflags --libs | sed 's/-ltoll/-l:libtoll.a/') -o static &&
    expect_profile "the static library" ./static || fail "pkg-config --static"

# --- Lua -----------------------------------------------------------------------------------------------

modules=$(dirname "$toll")/../lib/lua
for version in 5.1 5.2 5.3 5.4; do
    command -v lua$version >/dev/null 2>&1 && [ -e "$modules/$version/toll.so" ] || { echo "Lua $version: not here"; continue; }
    for where in "$libraries/lua" "$modules"; do # the path of the module is not in the files: all are loaded by the same
        rm -f toll.so && cp "$where/$version/toll.so" toll.so || fail "there is no $where/$version/toll.so"
        name=deb
        [ "$where" != "$modules" ] || name=built
        LUA_CPATH=./?.so lua$version "$source/tests/release/rock.lua" $name >$name.txt || fail "Lua $version, $name"
    done
    for kind in txt speedscope.json callgrind svg; do
        [ -s deb.$kind ] && cmp deb.$kind built.$kind || fail "Lua $version: another $kind than the built module's"
    done
done
runs() { # name, command: NAME.folded
    TOLL_LUA_DIR=$libraries/lua "$2" run -q --ticks --clock none -o run.pb.gz lua5.4 "$source/examples/nqueens.lua" 6 >/dev/null || fail "$2 run"
    "$toll" convert -q --to folded --value ticks -o "$1.folded" run.pb.gz
}
runs built "$toll"
runs deb "$root/usr/bin/toll"
[ -s deb.folded ] && cmp built.folded deb.folded || fail "toll run: other ticks than the built command's"
[ $failed = 1 ] || echo "the packages do what the build does: $(cd dist && ls ./*.deb | wc -l) packages, $(grep -c '^W:' lintian) warnings of lintian"
exit $failed
