#!/bin/sh
# binaries.sh TOLL SOURCE DIST WORK - the release's binaries. Those for Linux and Windows must do what TOLL does, to the last
# byte, here, under qemu and under wine. Those for macOS cannot run here: their header must name the processor, and libSystem
# as the only library. A program is linked with the library for Linux, as pkg-config and CMake say.
. "$(dirname "$0")/common.sh"
needs llvm-objdump readelf unzip python3 cmake

mkdir unpacked results
for file in "$dist"/toll-"$version"-*-musl.tar.gz "$dist"/toll-"$version"-*-macos.tar.gz; do tar xzf "$file" -C unpacked; done
unzip -q "$(file_of "toll-$version-x86_64-windows-gnu.zip")" -d unpacked

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

root() { # target: the folder of its archive
    echo "$work/unpacked/toll-$version-$1"
}

results native "$native"
grep -q 'std::vector<' "$work/results/native/symbols" || fail "TOLL does not demangle C++"
linux=$(root x86_64-linux-musl)/bin/toll
compare "x86_64-linux-musl" x86_64-linux-musl "$linux"
if readelf -lWd "$linux" | grep -E 'INTERP|NEEDED'; then fail "the command for Linux is not static"; fi
"$linux" --version | grep -q '^gzip: yes' && "$linux" --version | grep -q '^names of C++: yes' || fail "--version"

# toll run of a guest of WebAssembly needs Node alone, and what is in the archive.
if command -v node >/dev/null 2>&1 && command -v wat2wasm >/dev/null 2>&1; then
    printf '(module (func $leaf) (func (export "_start") (call $leaf) (call $leaf)))' >guest.wat
    wat2wasm --debug-names guest.wat -o guest.wasm
    "$linux" run -q --clock none -o guest.pb guest.wasm && "$linux" convert -q --value calls --to folded guest.pb -o guest.folded
    grep -q ';leaf 2$' guest.folded || fail "toll run of a guest of WebAssembly"
else
    echo "toll run of WebAssembly: not run, since there is no node or no wat2wasm"
fi

# toll run loads a module into an interpreter of Lua, which is none of the archive's files: beside the command it is found.
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
if command -v qemu-aarch64-static >/dev/null 2>&1; then
    compare "aarch64-linux-musl under qemu" aarch64-linux-musl qemu-aarch64-static "$arm/bin/toll"
else
    echo "aarch64-linux-musl: not run, since there is no qemu-aarch64-static; Debian's package qemu-user-static brings it"
fi

windows=$(root x86_64-windows-gnu)
if begin_wine x86_64-windows-gnu; then
    compare "x86_64-windows-gnu under wine" x86_64-windows-gnu $wine "$windows/bin/toll.exe"
fi

# --- macOS ---------------------------------------------------------------------------------------------

check_macho() { # target, name of the processor
    root=$(root "$1")
    llvm-objdump --macho --private-header "$root/bin/toll" | grep -Eq "^ *MH_MAGIC_64 +$2 .*EXECUTE" || fail "$1: not a program for $2"
    loaded=$(llvm-objdump --macho --dylibs-used "$root/bin/toll" | sed -n 's/^[[:space:]]*\([^ ]*\) (.*/\1/p')
    [ "$loaded" = /usr/lib/libSystem.B.dylib ] || fail "$1: loads '$loaded'"
    echo "$1: a program for $2 that loads libSystem alone; it cannot run here"
}
check_macho x86_64-macos X86_64
check_macho aarch64-macos ARM64

# --- the library ---------------------------------------------------------------------------------------

# With the compiler that made it, as the C library must be the one that it is for.
fetched=${RELEASE_FETCHED:-$source/build/fetched}/ziglang-$(awk '$1 == "ziglang" { print $2 }' "$source/release/pins.txt")
python3 -m zipfile -e "$fetched" zig || fail "there is no compiler in $fetched"
zig=$work/zig/ziglang/zig
chmod +x "$zig"
export ZIG_GLOBAL_CACHE_DIR="$work/zig-cache"
tree=$(root x86_64-linux-musl)
# shellcheck disable=SC2046 # the flags are words
PKG_CONFIG_PATH=$tree/lib/pkgconfig "$zig" cc -target x86_64-linux-musl -std=c11 -Werror "$source/examples/embed/tinyvm.c" \
    $(PKG_CONFIG_PATH=$tree/lib/pkgconfig pkg-config --static --cflags --libs toll) -o "$work/tinyvm" &&
    expect_profile "pkg-config" "$work/tinyvm" || fail "does not link by pkg-config"
cmake -S "$source/examples/embed" -B "$work/cmake" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/zig.cmake" -DTOLL_ZIG="$zig" \
    -DTOLL_TARGET=x86_64-linux-musl -DToll_DIR="$tree/lib/cmake/Toll" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/log" 2>&1 && expect_profile "find_package(Toll)" "$work/cmake/tinyvm" ||
    { cat "$work/log"; fail "does not link by CMake"; }
for name in LICENSE NOTICE share/man/man1/toll.1 share/man/man1/toll-report.1 share/fish/vendor_completions.d/toll.fish share/bash-completion/completions/toll share/zsh/site-functions/_toll \
    share/doc/toll/licences/musl include/toll/toll.h; do
    [ -s "$tree/$name" ] || fail "there is no $name"
done
exit $failed
