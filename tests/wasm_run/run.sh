#!/bin/sh
# run.sh TOLL FOLDER LIB [PART] - compiles programs for WASI (the part `setup`), and holds toll run to them: run.mjs,
# timeline.mjs, names.mjs and node_wasi.mjs. Without PART: all of that.
set -eu
toll=$1
folder=$2
lib=$3
part=${4:-all}
cd "$(dirname "$0")"

skip() {
    echo "skipped: $1"
    exit 77
}

for program in node clang wasm-ld wat2wasm; do
    command -v $program >/dev/null || skip "there is no $program"
done
[ -f "$lib/toll.wasm" ] || skip "no toll.wasm in this build"

setup() {
    mkdir -p "$folder"
    clang --target=wasm32-wasi --sysroot=/usr -O1 -Wall -Wextra -Werror -c app.c -o "$folder/app.o"
    clang --target=wasm32-wasi --sysroot=/usr "$folder/app.o" -o "$folder/app.wasm" # -O would strip names
    clang++ --target=wasm32-wasi --sysroot=/usr -O1 -fno-exceptions -fno-builtin -Wall -Wextra -Werror -c heap.cpp \
        -o "$folder/heap.o"
    clang --target=wasm32-wasi --sysroot=/usr "$folder/heap.o" -o "$folder/heap.wasm"
    wat2wasm mix.wat -o "$folder/mix.wasm"
    wat2wasm --enable-exceptions --debug-names throws.wat -o "$folder/throws.wasm"
    for program in a b; do
        clang --target=wasm32-wasi --sysroot=/usr -O1 -Wall -Wextra -Werror -c names/$program.c -o "$folder/names_$program.o"
    done
    # As Rust's compiler links: C++'s way would take the names for its own.
    clang --target=wasm32-wasi --sysroot=/usr -Wl,-no-demangle "$folder/names_a.o" "$folder/names_b.o" -o "$folder/names.wasm"
    wat2wasm --debug-names steps.wat -o "$folder/steps.wasm"
}

case $part in all | setup) setup ;; esac
case $part in all | run) node run.mjs "$toll" "$folder" ;; esac
case $part in all | timeline) node timeline.mjs "$toll" "$folder" "$lib" ;; esac
case $part in all | names) node names.mjs "$toll" "$folder" ;; esac
case $part in all | node_wasi) node node_wasi.mjs "$lib" "$folder" ;; esac
