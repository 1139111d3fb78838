#!/bin/bash -eu
# build.sh - builds every fuzz target for OSS-Fuzz, in the root of a clone: compilers, flags and engine come from CC, CXX,
# CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE; targets, seeds and dictionaries go to OUT. What is linked is static, since targets
# run in another image. Without libiberty, which is not built with the sanitizers.
cmake -S . -B "$WORK/build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_BUILD_TYPE=None \
    -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF -DTOLL_CPLUS_NAMES=OFF
cmake --build "$WORK/build" -j "$(nproc)" --target toll_static

# Fuzzing one target after the other needs zlib in each.
zlib=$(dirname "$("$CC" -print-file-name=libz.a)")/libz.a
[ -f "$zlib" ] || { echo "build.sh: there is no libz.a; Debian's package zlib1g-dev brings it"; exit 1; }

for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    [ "$name" != fuzz_cplus_symbol_code ] || continue # of libiberty
    what=${name#fuzz_}
    what=${what%_read}
    "$CC" $CFLAGS -std=c11 -Iinclude -Isrc -c "$source" -o "$WORK/$name.o"
    "$CXX" $CXXFLAGS "$WORK/$name.o" "$WORK/build/lib/libtoll.a" "$zlib" $LIB_FUZZING_ENGINE -o "$OUT/$name"
    inputs=$(find "fuzz/corpus/$what" "fuzz/found/$what" -type f 2>/dev/null || true)
    [ -z "$inputs" ] || zip -q -j "$OUT/${name}_seed_corpus.zip" $inputs
    [ ! -f "fuzz/dict/$what.dict" ] || cp "fuzz/dict/$what.dict" "$OUT/$name.dict"
done
