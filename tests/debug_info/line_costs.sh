#!/bin/sh
# line_costs.sh SOURCE DIR TOLL - compiles programs in all the ways in which the lines of a function come to be in several files, or
# functions without one, in DIR, and has line_costs.mjs compare what lines and inlined functions cost with counters of single instructions. With DEBUG_ALL=1
# more programs and what emcc makes.
set -eu
source=$1
dir=$2
toll=$3
tests=$source/tests/debug_info
programs=$source/tests/corpus/programs
has() { command -v "$1" >/dev/null 2>&1; }
for program in node clang wasm-ld llvm-symbolizer wasm-objdump wasm2wat; do
    has $program || { echo "skipped: there is no $program"; exit 77; }
done
[ -e /usr/lib/wasm32-wasi/crt1-command.o ] || { echo "skipped: there is no wasi-libc"; exit 77; }
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir"
judged=

# build NAME SOURCE OPTION...: compiled and linked in two steps, as clang would run wasm-opt if it did both.
build() {
    name=$1
    file=$2
    shift 2
    clang --target=wasm32-wasi --sysroot=/usr -isystem /usr/include/stb -w "$@" -c "$file" -o "$name.o"
    clang --target=wasm32-wasi --sysroot=/usr "$name.o" -o "$name.wasm"
    judged="$judged $name.wasm"
}

build inlined "$tests/inlined.cpp" -g -O2 -fno-exceptions
build included "$tests/included.c" -g -O0
build included-fast "$tests/included.c" -g -O2
build split "$tests/inlined.cpp" -gdwarf-5 -gsplit-dwarf -O2 -fno-exceptions # with split.dwo beside it
if has bison && [ -e /usr/share/doc/bison/examples/c/calc/calc.y ]; then
    bison --header -o calc.c /usr/share/doc/bison/examples/c/calc/calc.y
    build calc calc.c -g -O0
    build calc-fast calc.c -g -O2
    for name in calc calc-fast; do
        awk 'BEGIN { for (i = 1; i < 60; i++) printf "(%d + 2) * 3 ^ 2 - -%d / 7\n", i, i }' >$name.stdin
    done
else
    echo "no parser of bison: there is no bison, or not its examples"
fi
if [ -e /usr/include/stb/stb_image.h ]; then
    build picture-lines "$programs/picture.c" -gline-tables-only -O1
    if [ -n "${DEBUG_ALL:-}" ]; then
        build picture-g1 "$programs/picture.c" -g1 -O2
        build picture "$programs/picture.c" -g -O2
        build picture-dwarf5 "$programs/picture.c" -gdwarf-5 -O1
        build picture-split "$programs/picture.c" -gdwarf-5 -gsplit-dwarf -O1
        build picture-split4 "$programs/picture.c" -gdwarf-4 -gsplit-dwarf -O2
    fi
fi
if [ -n "${DEBUG_ALL:-}" ] && has emcc && [ -e /usr/include/stb/stb_image.h ]; then
    emcc -w -g -O1 -sSTANDALONE_WASM -I/usr/include/stb "$programs/picture.c" -o emcc.rewritten.wasm
    emcc -w -gsource-map -O1 -sSTANDALONE_WASM -I/usr/include/stb "$programs/picture.c" -o emcc-map.wasm
    judged="$judged emcc.rewritten.wasm emcc-map.wasm"
    em++ -w -g -O2 -std=c++17 -c "$tests/containers.cpp" -o containers.o
    em++ -g -sWASM_BIGINT -sSTANDALONE_WASM containers.o -o containers.wasm # so linked, Binaryen rewrites nothing
    judged="$judged containers.wasm"
    em++ -w -g -O2 -c "$tests/json_main.cpp" -o json.o
    em++ -g -sWASM_BIGINT -sSTANDALONE_WASM json.o -o json.wasm
    em++ -w -g -O2 -sSTANDALONE_WASM "$tests/json_main.cpp" -o json.rewritten.wasm
    em++ -w -gsource-map -O2 -sSTANDALONE_WASM "$tests/json_main.cpp" -o json-map.wasm
    judged="$judged json.wasm json.rewritten.wasm json-map.wasm"
fi
# shellcheck disable=SC2086 # a list of words
node --no-warnings "$tests/line_costs.mjs" "$toll" $judged
