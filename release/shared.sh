# shared.sh - for release/kinds/*, which begin with it: what is fetched, and how files get into a release.
# scripts/release sets: RELEASE_SOURCE (the clean clone), RELEASE_WORK (a folder for this pass), RELEASE_OUT (where the
# files of the release go), RELEASE_PARTS (a file: see part), RELEASE_BUILT (builds that the kinds of a pass share),
# RELEASE_FETCHED (what is fetched, for all passes), and SOURCE_DATE_EPOCH (the time of the commit).
set -eu
here=$RELEASE_SOURCE/release
version=$(awk '/^#define TOLL_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$/ { printf "%s%s", dot, $3; dot = "." }' \
    "$RELEASE_SOURCE/include/toll/version.h")
case $version in # the version in the shared library's name: see src/CMakeLists.txt
0.*) soversion=${version%.*} ;;
*) soversion=${version%%.*} ;;
esac
home=$(cat "$here/home.txt") # where packages say that the project is

stop() { # why
    echo "release: $1" >&2
    exit 1
}

pin() { # name, column: 2 is the version, 3 the sha256
    awk -v name="$1" -v column="$2" '$1 == name { print $column; found = 1 } END { exit !found }' "$here/pins.txt" ||
        stop "release/pins.txt has no '$1'"
}

# Run a command with its output in a file, which is printed if the command fails.
quietly() { # command...
    "$@" >"$RELEASE_WORK/log" 2>&1 </dev/null || {
        tail -30 "$RELEASE_WORK/log" >&2
        stop "failed: $*"
    }
}

# Several releases may fetch at once: each does so in a place of its own, and moves what is complete.

# Set $file to the fetched file of a pin. `fetch_NAME` gets an empty folder, and leaves the file there.
fetch() { # name, function that fetches it
    file=$RELEASE_FETCHED/$1-$(pin "$1" 2)
    if [ ! -e "$file" ]; then
        mkdir -p "$file.$$"
        quietly "$2" "$file.$$" "$(pin "$1" 2)"
        mv "$file.$$/file" "$file"
        rm -rf "$file.$$"
    fi
    echo "$(pin "$1" 3)  $file" | sha256sum --check --status || stop "$file is not the one in release/pins.txt"
    used "$1-$(pin "$1" 2)" "$(pin "$1" 3)"
}

# Say what a release is made of, for the statement of provenance.
used() { # name, sha256
    printf '%s\t%s\n' "$1" "$2" >>"$RELEASE_PARTS.used"
}

fetch_from_pypi() { # folder, version
    python3 -m pip download -q --no-deps --only-binary :all: --platform manylinux_2_12_x86_64 -d "$1" "ziglang==$2"
    mv "$1"/*.whl "$1/file"
}

# Cargo fetches what a lock file names, and needs a package that asks for it.
fetch_from_crates() { # folder, version
    mkdir "$1/src"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\nlibz-sys = "=%s"\n' "$2" >"$1/Cargo.toml"
    : >"$1/src/lib.rs"
    (cd "$1" && cargo fetch -q)
    cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"libz-sys-$2.crate" "$1/file"
}

# apt with a state of its own: with Debian's sources, and no installed packages.
fetch_from_debian() { # folder, version
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -1)
    mkdir -p "$1/lists/partial"
    echo "deb-src ${mirror:-http://deb.debian.org/debian} bookworm main" >"$1/sources"
    options="-q -o Dir::Etc::SourceList=$1/sources -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$1/lists
        -o Acquire::Languages=none"
    # shellcheck disable=SC2086 # the options are words
    (cd "$1" && apt-get $options update && apt-get $options source --download-only libiberty)
    mv "$1/libiberty_$2.orig.tar.xz" "$1/file"
}

fetch_from_npm() { # folder, version
    (cd "$1" && npm pack --silent "iframe-worker@$2")
    mv "$1"/*.tgz "$1/file"
}

# Set $site_generator to the program that makes the documentation's site.
need_site_generator() {
    site_generator=$RELEASE_WORK/generator/bin/zensical
    quietly python3 -m venv "$RELEASE_WORK/generator"
    quietly "$RELEASE_WORK/generator/bin/python" -m pip install -q --no-deps --require-hashes -r "$here/site/requirements.txt"
    used release/site/requirements.txt "$(sha256sum <"$here/site/requirements.txt" | cut -d' ' -f1)"
}

# Set $zig to the compiler. What it compiles in a pass, its C libraries too, is not reused in the other one.
need_zig() {
    zig=$RELEASE_BUILT/zig/ziglang/zig
    export ZIG_GLOBAL_CACHE_DIR="$RELEASE_BUILT/zig-cache" ZIG_LOCAL_CACHE_DIR="$RELEASE_BUILT/zig-cache"
    [ ! -e "$zig" ] || return 0
    fetch ziglang fetch_from_pypi
    quietly python3 -m zipfile -e "$file" "$RELEASE_BUILT/zig"
    chmod +x "$zig"
}

# Set $bundled to a folder for -DTOLL_BUNDLED (cmake/bundled.cmake).
need_bundled() {
    bundled=$RELEASE_BUILT/bundled
    [ ! -e "$bundled" ] || return 0
    mkdir -p "$bundled/zlib" "$bundled/libiberty"
    fetch libz-sys fetch_from_crates
    tar xzf "$file" -C "$bundled/zlib" --strip-components=3 "libz-sys-$(pin libz-sys 2)/src/zlib"
    fetch libiberty fetch_from_debian
    tar xJf "$file" -C "$bundled/libiberty" --strip-components=1
}

# Set $built to a build for a system, with $zig and $bundled: the command and the static library, or one of them.
build_for() { # target, target of CMake
    built=$RELEASE_BUILT/$1
    # Names of files are the same wherever this is built.
    [ -e "$built/CMakeCache.txt" ] || CFLAGS="-ffile-prefix-map=$RELEASE_SOURCE=. -ffile-prefix-map=$RELEASE_BUILT=." quietly cmake -S "$RELEASE_SOURCE" -B "$built" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$RELEASE_SOURCE/cmake/zig.cmake" -DTOLL_ZIG="$zig" -DTOLL_TARGET="$1" \
        -DTOLL_BUNDLED="$bundled" -DTOLL_HOSTS=OFF -DTOLL_SHARED=OFF -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF \
        -DCMAKE_INSTALL_LIBDIR=lib
    quietly cmake --build "$built" --target "${2:-all}" -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)"
}

# Set $wasm to a build of what is loaded into engines of WebAssembly. The machine's own clang makes it. Of its targets
# toll_whole_wasm alone contains zlib and libiberty: it needs $bundled.
build_wasm() { # targets of CMake...
    wasm=$RELEASE_BUILT/wasm32-wasi
    quietly cmake -S "$RELEASE_SOURCE" -B "$wasm" -DCMAKE_BUILD_TYPE=Release -DTOLL_BUNDLED="${bundled:-}" \
        -DTOLL_COMMAND=OFF -DTOLL_SHARED=OFF -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF
    quietly cmake --build "$wasm" -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" --target "$@"
}

# Say what is compiled into a file, for the list of parts.
part() { # file, part, version, licence in SPDX's words
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>"$RELEASE_PARTS"
}

say_libiberty() { # file, version
    part "$1" "libiberty (C++ demangler)" "$2" "GPL-2.0-or-later WITH GCC-exception-2.0"
}

# The same for a file that contains what need_bundled has.
say_bundled() { # file
    part "$1" zlib "$(sed -n 's/^#define ZLIB_VERSION "\(.*\)"$/\1/p' "$bundled/zlib/zlib.h")" Zlib
    say_libiberty "$1" "$(pin libiberty 2)"
}

# The same for a file with the command, or a library, for a system.
say_parts() { # file, target
    say_bundled "$1"
    part "$1" "compiler-rt of Zig" "$(pin ziglang 2)" MIT
    case $2 in
    *musl) part "$1" musl "$(pin ziglang 2) of Zig" MIT ;;
    *windows*) part "$1" "mingw-w64 runtime" "$(pin ziglang 2) of Zig" "ZPL-2.1" ;;
    esac
}

# The same for a file with toll.wasm in it.
say_wasm_parts() { # file
    part "$1" wasi-libc "$(dpkg-query -W -f '${Version}' wasi-libc) of Debian" "Apache-2.0 WITH LLVM-exception AND MIT"
}

# Copy the licences of what is compiled into a file beside it: of $bundled, if that is set, and of what is named.
copy_licences() { # folder, target, or wasm32-wasi, ...
    licences=$1
    shift
    mkdir -p "$licences"
    if [ -n "${bundled:-}" ]; then
        cp "$bundled/zlib/LICENSE" "$licences/zlib"
        sed '/\*\//q' "$bundled/libiberty/libiberty/cp-demangle.c" >"$licences/libiberty"
    fi
    case "$*" in *linux* | *macos* | *windows*) cp "${zig%/zig}/LICENSE" "$licences/zig" ;; esac
    case "$*" in *musl*) cp "${zig%/zig}/lib/libc/musl/COPYRIGHT" "$licences/musl" ;; esac
    case "$*" in *windows*) cp "${zig%/zig}/lib/libc/mingw/COPYING" "$licences/mingw-w64" ;; esac
    case "$*" in *wasm*) cp /usr/share/doc/wasi-libc/copyright "$licences/wasi-libc" ;; esac
}
