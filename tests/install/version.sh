#!/bin/sh
# version.sh BUILD SOURCE - the version is the same in all places: toll/version.h, the library, the command, pkg-config,
# and the packages of CMake, npm and Rust. The shared library's name changes whenever its interface may change:
# libtoll.so.0.MINOR until 1.0, then libtoll.so.MAJOR.
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cmake --install "$build" --prefix "$work/usr" >/dev/null
lib=$(dirname "$(find "$work/usr" -name libtoll.a)")
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"

part() { sed -n "s/^#define TOLL_VERSION_$1 \([0-9]*\)\$/\1/p" "$work/usr/include/toll/version.h"; }
major=$(part MAJOR) minor=$(part MINOR) patch=$(part PATCH)
version=$major.$minor.$patch

expect() { # what, wanted, found
    [ "$2" = "$3" ] && return
    echo "FAILED: $1 is '$3', not '$2'"
    failed=1
}

cat >"$work/version.c" <<'EOF'
#include <stdio.h>
#include <toll/toll.h>
int main(void)
{
    printf("%s %s %d %u\n", TOLL_VERSION_STRING, toll_version(), TOLL_VERSION_NUMBER,
           (unsigned)toll_version_number());
    return 0;
}
EOF
# shellcheck disable=SC2046 # the flags are words
cc "$work/version.c" $(pkg-config --cflags --libs toll) -o "$work/version"
number=$((major * 10000 + minor * 100 + patch))
expect "the version in the header and in the library" "$version $version $number $number" "$("$work/version")"
expect "toll --version" "toll $version" "$("$work/usr/bin/toll" --version | head -1)"
expect "pkg-config's version" "$version" "$(pkg-config --modversion toll)"
expect "CMake's version" "$version" \
    "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$lib/cmake/Toll/TollConfigVersion.cmake")"
for package in hosts/wasm hosts/litesvm; do
    expect "$package/package.json" "$version" "$(sed -n 's/^ *"version": "\(.*\)",\{0,1\}$/\1/p' "$source/$package/package.json")"
done
for crate in "$source/hosts/rust/sys" "$source/hosts/rust" "$source/hosts/solana" "$source/hosts/solana/guest" "$source/hosts/wasmtime"; do
    expect "${crate#"$source/"}/Cargo.toml" "$version" \
        "$(sed -n '1,/^version/s/^version = "\(.*\)"$/\1/p' "$crate/Cargo.toml")"
done

name=libtoll.so.$major
[ "$major" != 0 ] || name=libtoll.so.0.$minor
soname() { objdump -p "$1" | sed -n 's/^ *SONAME *//p'; }
expect "the shared library's name" "$name" "$(soname "$lib/libtoll.so")"
expect "what a program asks for" "$name" "$(objdump -p "$work/version" | sed -n 's/^ *NEEDED *\(libtoll.*\)/\1/p')"
[ -e "$lib/$name" ] || { echo "FAILED: $name is not installed"; failed=1; }
[ $failed = 0 ] && echo "$version everywhere, $name"
exit $failed
