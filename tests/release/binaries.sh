#!/bin/sh
# binaries.sh TOLL SOURCE WORK - makes the release's binaries (scripts/release makes them twice, and compares). Those for
# Linux and Windows must do what TOLL does, to the last byte, here, under qemu and under wine. Those for macOS cannot run
# here: their header must name the processor, and libSystem as the only library. A program is linked with the library for
# Linux, as pkg-config and CMake say. RELEASE_TARGETS: only these, see release/kinds/binaries. RELEASE_READY=FOLDER: the
# files are there already.
set -u
native=$1
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
[ "$(uname -sm)" = "Linux x86_64" ] || skip "the compiler of release/pins.txt is for Linux on x86-64"
for tool in cargo python3 apt-get llvm-objdump readelf unzip; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done

mkdir -p "$work"
dist=${RELEASE_READY:-$work/dist}
if [ -z "${RELEASE_READY:-}" ]; then
    RELEASE_DIST=$dist "$source/scripts/release" binaries >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
cd "$dist" || exit 1
sha256sum --check --quiet SHA256SUMS || fail "SHA256SUMS"
rm -rf "$work/unpacked" "$work/results"
mkdir -p "$work/unpacked" "$work/results"
for file in *.tar.gz; do tar xzf "$file" -C "$work/unpacked"; done
for file in *.zip; do [ ! -e "$file" ] || unzip -q "$file" -d "$work/unpacked"; done

# Each archive is described, with the parts that are linked into it.
python3 - "$dist" <<'S' || fail "the description"
import json, pathlib, sys
dist = pathlib.Path(sys.argv[1])
spdx = json.loads((dist / "toll.spdx.json").read_text())
statement = json.loads((dist / "toll.intoto.json").read_text())
sums = dict(reversed(line.split("  ")) for line in (dist / "SHA256SUMS").read_text().splitlines())
assert {s["name"]: s["digest"]["sha256"] for s in statement["subject"]} == sums
packages = {p["SPDXID"]: p for p in spdx["packages"]}
assert sums and {p["packageFileName"] for p in packages.values() if "packageFileName" in p} == set(sums)
for relation in spdx["relationships"]:
    assert relation["relatedSpdxElement"] in packages, relation
for name in sums:
    linked = {packages[r["relatedSpdxElement"]]["name"] for r in spdx["relationships"]
              if packages.get(r["spdxElementId"], {}).get("packageFileName") == name}
    assert "zlib" in linked and ("musl" in linked) == ("musl" in name), (name, linked)
S

# --- the same results as of TOLL -----------------------------------------------------------------------

results() { # folder, command...: what it prints and writes
    folder=$work/results/$1
    count=0
    shift
    mkdir -p "$folder"
    (
        cd "$folder" || exit
        cp "$data"/example.folded "$data"/bad.folded "$data"/*.json "$data/transfer.log" "$data/game.log" .
        for input in "$source"/fuzz/corpus/pprof/*; do cp "$input" .; [ $((count += 1)) -lt 4 ] || break; done
        for input in *; do
            "$@" report --tree "$input" >"$input.report" 2>&1 </dev/null || echo $? >>"$input.report"
            # Not with gzip: another zlib may compress in another way.
            "$@" convert -q "$input" -o "$input.made.pb" >"$input.convert" 2>&1 </dev/null || echo $? >>"$input.convert"
        done
        "$@" convert -q example.folded -o packed.pb.gz && "$@" report packed.pb.gz >packed 2>&1
        rm -f packed.pb.gz
        printf '_ZNSt6vectorIiSaIiEE9push_backEOi;_RNvC5crate4main 3\n' >symbols.folded
        "$@" report symbols.folded >symbols 2>&1
    )
}

compare() { # what, target, command...
    what=$1
    target=$2
    shift 2
    results "$target" "$@"
    diff -r "$work/results/native" "$work/results/$target" >"$work/diff" || fail "$what: $(head -5 "$work/diff")"
    echo "$what: $(find "$work/results/$target" -type f | wc -l) files as of the native command"
}

root() { # target: the folder of its archive, "" if it was not made
    find "$work/unpacked" -maxdepth 1 -name "toll-*-$1"
}

results native "$native"
grep -q 'std::vector<' "$work/results/native/symbols" || fail "TOLL does not demangle C++"
linux=$(root x86_64-linux-musl)/bin/toll
compare "x86_64-linux-musl" x86_64-linux-musl "$linux"
if readelf -lWd "$linux" | grep -E 'INTERP|NEEDED'; then fail "the command for Linux is not static"; fi
"$linux" --version | grep -q '^gzip: yes' && "$linux" --version | grep -q '^names of C++: yes' || fail "--version"

# toll run loads a module into an interpreter, which is none of the archive's files: beside the command it is found.
if command -v lua5.4 >/dev/null 2>&1 && [ -e "$(dirname "$native")/../lib/lua/5.4/toll.so" ]; then
    mkdir -p "$work/alone/bin" "$work/both/bin" "$work/both/lib"
    cp "$linux" "$work/alone/bin" && cp "$linux" "$work/both/bin"
    cp -r "$(dirname "$native")/../lib/lua" "$work/both/lib"
    "$work/both/bin/toll" run -q -o "$work/lua.pb" lua5.4 "$source/examples/nqueens.lua" 6 >"$work/queens" && "$linux" check "$work/lua.pb" >/dev/null ||
        fail "toll run with the Lua modules beside the command"
    if [ -z "$(find /usr/lib /usr/local/lib -path '*/lua/5.?/toll.so' 2>/dev/null)" ]; then
        "$work/alone/bin/toll" run -q -o "$work/lua.pb" lua5.4 "$source/examples/nqueens.lua" 6 2>&1 | grep -q 'TOLL_LUA_DIR' ||
            fail "toll run without the Lua modules does not say how to get them"
    fi
fi

arm=$(root aarch64-linux-musl)
if [ -z "$arm" ]; then
    echo "aarch64-linux-musl: not made"
elif command -v qemu-aarch64-static >/dev/null 2>&1; then
    compare "aarch64-linux-musl under qemu" aarch64-linux-musl qemu-aarch64-static "$arm/bin/toll"
else
    echo "aarch64-linux-musl: not run, since there is no qemu-aarch64-static; Debian's package qemu-user-static brings it"
fi

windows=$(root x86_64-windows-gnu)
wine=/usr/lib/wine/wine64
if [ -z "$windows" ]; then
    echo "x86_64-windows-gnu: not made"
elif [ -x $wine ]; then
    export WINEPREFIX="$work/wine" WINESERVER=/usr/lib/wine/wineserver64 WINEDEBUG=-all
    trap '$WINESERVER -k || :' EXIT
    $WINESERVER -p >"$work/log" 2>&1 || :
    [ -e "$WINEPREFIX/system.reg" ] || $wine wineboot.exe -i >"$work/log" 2>&1 </dev/null
    $wine "$windows/bin/toll.exe" --version >"$work/log" 2>&1 </dev/null # starts the server, which keeps this output open
    compare "x86_64-windows-gnu under wine" x86_64-windows-gnu $wine "$windows/bin/toll.exe"
else
    echo "x86_64-windows-gnu: not run, since there is no $wine; Debian's package wine64 brings it"
fi

# --- macOS ---------------------------------------------------------------------------------------------

check_macho() { # target, name of the processor
    root=$(root "$1")
    [ -n "$root" ] || { echo "$1: not made"; return; }
    llvm-objdump --macho --private-header "$root/bin/toll" | grep -Eq "^ *MH_MAGIC_64 +$2 .*EXECUTE" || fail "$1: not a program for $2"
    loaded=$(llvm-objdump --macho --dylibs-used "$root/bin/toll" | sed -n 's/^[[:space:]]*\([^ ]*\) (.*/\1/p')
    [ "$loaded" = /usr/lib/libSystem.B.dylib ] || fail "$1: loads '$loaded'"
    echo "$1: a program for $2 that loads libSystem alone; it cannot run here"
}
check_macho x86_64-macos X86_64
check_macho aarch64-macos ARM64

# --- the library ---------------------------------------------------------------------------------------

# With the compiler that made it, as the C library must be the one that it is for.
zig=$(find "${RELEASE_FETCHED:-$source/build/fetched}" -path '*.unpacked/ziglang/zig')
export ZIG_GLOBAL_CACHE_DIR="${RELEASE_FETCHED:-$source/build/fetched}/zig-cache"
tree=$(root x86_64-linux-musl)
expect_profile() { # what, program
    rm -f "$work/out.folded"
    TOLL_OUT=$work/out.folded "$2" >/dev/null && diff "$source/examples/embed/expected.folded" "$work/out.folded" || fail "$1"
}
# shellcheck disable=SC2046 # the flags are words
PKG_CONFIG_PATH=$tree/lib/pkgconfig "$zig" cc -target x86_64-linux-musl -std=c11 -Werror "$source/examples/embed/tinyvm.c" \
    $(PKG_CONFIG_PATH=$tree/lib/pkgconfig pkg-config --static --cflags --libs toll) -o "$work/tinyvm" &&
    expect_profile "pkg-config" "$work/tinyvm" || fail "does not link by pkg-config"
rm -rf "$work/cmake"
cmake -S "$source/examples/embed" -B "$work/cmake" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/zig.cmake" -DTOLL_ZIG="$zig" \
    -DTOLL_TARGET=x86_64-linux-musl -DToll_DIR="$tree/lib/cmake/Toll" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/log" 2>&1 && expect_profile "find_package(Toll)" "$work/cmake/tinyvm" ||
    { cat "$work/log"; fail "does not link by CMake"; }
for name in LICENSE NOTICE share/man/man1/toll.1 share/bash-completion/completions/toll share/zsh/site-functions/_toll \
    share/doc/toll/licences/musl include/toll/toll.h; do
    [ -s "$tree/$name" ] || fail "there is no $name"
done
exit $failed
