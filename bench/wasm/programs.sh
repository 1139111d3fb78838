#!/bin/sh
# programs.sh DIR - compiles programs for bench/wasm/shares.mjs in DIR: of libraries that are not this project's, from the
# sources in crates and npm packages, and their inputs. Needs cargo, npm, clang, wasi-libc and a network. Then, in DIR:
#
#   BENCH_INPUT=sqlite.sql node SOURCE/bench/wasm/shares.mjs TOLL sqlite.wasm 80
#   BENCH_INPUT=sqlite3.c  node SOURCE/bench/wasm/shares.mjs TOLL treesitter.wasm 1     also: webp.wasm 30, bzip2.wasm 3
#   BENCH_INPUT=work.lua   node SOURCE/bench/wasm/shares.mjs TOLL lua.wasm 5
#   BENCH_DIR=. node SOURCE/bench/wasm/shares.mjs TOLL qjs.wasm parse.js acorn.js 1     also: lines.js sqlite3.c 1
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/crates/src"
cd "$1"
printf '[package]\nname = "programs"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nbzip2-sys = "=0.1.13"\nlibsqlite3-sys = "=0.40.0"\n' >crates/Cargo.toml
printf 'tree-sitter = "=0.27.1"\ntree-sitter-c = "=0.24.2"\nlibwebp-sys = "=0.14.4"\nrquickjs-sys = "=0.14.0"\nlua-src = "=551.1.0"\n' >>crates/Cargo.toml
: >crates/src/lib.rs
(cd crates && cargo vendor -q vendor >/dev/null)
[ -e node_modules/acorn ] || npm install --silent --no-package-lock acorn@8.19.0 >/dev/null
cp node_modules/acorn/dist/acorn.js "$here"/programs/*.js "$here"/programs/*.lua .

compile() { # program, options of clang and sources...
    program=$1
    shift
    rm -rf objects
    mkdir objects
    options=
    for word in "$@"; do
        case $word in *.c) ;; *) options="$options $word" ;; esac
    done
    for word in "$@"; do
        # shellcheck disable=SC2086 # the list is words
        case $word in
        *.c) clang --target=wasm32-wasi --sysroot=/usr -O2 -w -D_GNU_SOURCE -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS \
            -D_WASI_EMULATED_MMAN $options -c "$word" -o "objects/$(basename "$word" .c)-$(echo "$word" | cksum | cut -d' ' -f1).o" ;;
        esac
    done
    # Without -O here: with it clang runs wasm-opt, which removes the functions' names.
    clang --target=wasm32-wasi --sysroot=/usr objects/*.o -lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-mman \
        -Wl,-z,stack-size=8388608 -Wl,--strip-debug -o "$program.wasm"
    rm -rf objects
}

vendor=crates/vendor
bzip2=$(echo $vendor/bzip2-sys/bzip2-*)
compile bzip2 -I"$bzip2" -DBZ_NO_STDIO "$here/programs/bzip2.c" "$bzip2/blocksort.c" "$bzip2/huffman.c" "$bzip2/crctable.c" \
    "$bzip2/randtable.c" "$bzip2/compress.c" "$bzip2/decompress.c" "$bzip2/bzlib.c"
sqlite=$vendor/libsqlite3-sys/sqlite3
compile sqlite -I$sqlite -DSQLITE_OS_OTHER -DSQLITE_THREADSAFE=0 -DLONGDOUBLE_TYPE=double -DSQLITE_OMIT_LOAD_EXTENSION \
    "$here/programs/sqlite.c" $sqlite/sqlite3.c $sqlite/wasm32-wasi-vfs.c
compile treesitter -I$vendor/tree-sitter/include -I$vendor/tree-sitter/src -I$vendor/tree-sitter-c/src "$here/programs/treesitter.c" \
    $vendor/tree-sitter/src/lib.c $vendor/tree-sitter-c/src/parser.c
webp=$vendor/libwebp-sys/vendor
# shellcheck disable=SC2046 # words
compile webp -I$webp -I$webp/src "$here/programs/webp.c" $(find $webp/src $webp/sharpyuv -name '*.c' ! -name '*sse*' ! -name '*neon*' \
    ! -name '*mips*' ! -name '*msa*' ! -name '*avx*')
quickjs=$vendor/rquickjs-sys/quickjs
compile qjs -I$quickjs $quickjs/qjs.c $quickjs/quickjs.c $quickjs/quickjs-libc.c $quickjs/libregexp.c $quickjs/libunicode.c \
    $quickjs/dtoa.c $quickjs/gen/repl.c $quickjs/gen/standalone.c

# Not seeded by the clock, so that all runs are the same.
lua=$vendor/lua-src/lua-5.4.9
# shellcheck disable=SC2046 # words
compile lua -I"$here/programs/lua" -I$lua '-Dluai_makeseed(L)=1u' '-Dl_randomizePivot()=0u' "$here/programs/lua.c" $(find $lua -name 'l*.c' ! -name lua.c ! -name luac.c ! -name linit.c \
    ! -name liolib.c ! -name loslib.c ! -name ldblib.c ! -name loadlib.c ! -name lutf8lib.c ! -name lcorolib.c)

head -c 5000000 $sqlite/sqlite3.c >sqlite3.c
awk 'BEGIN { print "create table t (a integer, b text); begin;"
    for (i = 0; i < 3000; i++) printf "insert into t values (%d, '\''row %d'\'');\n", i * 7919 % 1000, i
    print "commit; create index i on t (a);"
    print "select a, count(*), group_concat(b, '\'','\'') from t group by a order by 2 desc, 1 limit 500;"
    print "select x.a, count(*) from t x join t y on x.a = y.a where x.b < y.b group by x.a; drop table t;" }' >sqlite.sql
