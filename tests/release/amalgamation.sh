#!/bin/sh
# amalgamation.sh TOLL SOURCE DIST WORK LIB - the release's toll.c and toll.h compile without a warning, with gcc and clang,
# with zlib and without, and toll.h in C++. The embedder's example, compiled with them, writes the same bytes as with
# LIB/libtoll.a, in each format; that for Windows, too, under wine.
. "$(dirname "$0")/common.sh"
lib=$1
needs cc pkg-config
set -e
mkdir once
tar xzf "$(file_of "toll-*-amalgamation.tar.gz")" -C once --strip-components=1
# shellcheck disable=SC2016 # a pattern
if grep -nE '^ *# *include *("[^t]|<toll/)' "$work"/once/toll.[ch]; then fail "a header of Toll's is not in the file"; fi

# The example includes toll/embed.h: a folder in which that is toll.h.
mkdir -p "$work/include/toll"
echo '#include "../../once/toll.h"' >"$work/include/toll/embed.h"
strict="-Wall -Wextra -Werror"

expect_same() { # program, file...
    program=$1
    shift
    for file in "$@"; do
        TOLL_OUT=$work/$file "$program" >/dev/null
        cmp "$work/$file" "$work/library.$file" || fail "$program writes another $file"
    done
}

# shellcheck disable=SC2046,SC2086 # the flags are words
{
    cc -std=c11 -I"$source/include" "$source/examples/embed/tinyvm.c" "$lib/libtoll.a" \
        $(PKG_CONFIG_PATH="$(dirname "$lib")" pkg-config --static --libs-only-l toll | tr ' ' '\n' | grep -v '^-ltoll$') -o "$work/library"
}
formats="out.folded out.pb.gz out.speedscope.json out.pb out.callgrind out.svg"
for file in $formats; do
    (cd "$work" && TOLL_OUT=library.$file ./library >/dev/null)
    [ -s "$work/library.$file" ] || fail "libtoll writes no $file"
done
for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || { echo "$compiler: there is none"; continue; }
    # shellcheck disable=SC2086 # the flags are words
    $compiler -std=c11 $strict -c "$work/once/toll.c" -o "$work/toll.o" || { fail "$compiler"; continue; }
    # shellcheck disable=SC2086
    $compiler -std=c11 $strict -I"$work/include" "$source/examples/embed/tinyvm.c" "$work/toll.o" -lz -pthread -o "$work/$compiler"
    # shellcheck disable=SC2086
    expect_same "$work/$compiler" $formats
    # shellcheck disable=SC2086
    $compiler $strict -DTOLL_NO_ZLIB -c "$work/once/toll.c" -o "$work/small.o" || { fail "$compiler without zlib"; continue; }
    $compiler -I"$work/include" "$source/examples/embed/tinyvm.c" "$work/small.o" -pthread -o "$work/small" || fail "$compiler without -lz"
    expect_same "$work/small" out.folded out.speedscope.json out.pb
    echo "$compiler: compiles, and writes the same bytes"
done

# windows.h, which is included in the middle of the file, declares hundreds of names in capitals.
windows=x86_64-w64-mingw32-gcc
if command -v $windows >/dev/null 2>&1; then
    zlib=$($windows -print-file-name=libz.a) no_zlib=
    [ -e "$zlib" ] || { zlib= no_zlib=-DTOLL_NO_ZLIB; echo "Windows: without zlib; Debian's package libz-mingw-w64-dev brings it"; }
    # shellcheck disable=SC2086
    if $windows -std=c11 $strict $no_zlib -c "$work/once/toll.c" -o "$work/windows.o" &&
        $windows -std=c11 $strict -I"$work/include" "$source/examples/embed/tinyvm.c" "$work/windows.o" $zlib -static-libgcc -o "$work/tinyvm.exe"; then
        echo "Windows: compiles"
        if begin_wine Windows; then
            for file in out.folded out.pb out.speedscope.json ${zlib:+out.pb.gz}; do
                TOLL_OUT=$file $wine "$work/tinyvm.exe" >"$work/log" 2>&1 </dev/null || fail "under wine: $(cat "$work/log")"
                # Another zlib may compress to other bytes.
                case $file in *.gz) for each in $file library.$file; do gzip -dc "$each" >"$each.plain"; done; file=$file.plain ;; esac
                cmp "$file" "library.$file" || fail "under wine another $file"
            done
            echo "Windows: under wine the same bytes"
        fi
    else
        fail "$windows"
    fi
else
    echo "Windows: not compiled, since there is no $windows; Debian's package gcc-mingw-w64-x86-64-win32 brings it"
fi
if command -v c++ >/dev/null 2>&1; then
    # Each function that toll.h declares is in toll.c.
    {
        echo '#include "once/toll.h"'
        echo '#include <cstdio>'
        echo 'int main() { const void *all[] = {'
        tr '\n' ' ' <"$work/once/toll.h" | grep -o 'TOLL_API [^(]*(' | sed -n 's/.*[ *]\(toll_[a-z0-9_]*\)(/(const void *)\1,/p'
        echo '}; std::printf("%d", (int)(sizeof all / sizeof *all)); }'
    } >"$work/all.cc"
    # shellcheck disable=SC2086
    c++ -std=c++11 $strict -I"$work" "$work/all.cc" "$work/toll.o" -lz -pthread -o "$work/all" || fail "toll.h in C++"
    [ "$("$work/all")" -gt 100 ] || fail "toll.h declares few functions"
    echo "C++: $("$work/all") functions"
fi
exit $failed
