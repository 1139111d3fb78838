#!/bin/sh
# pipes.sh TOLL FOLDER LIB - compiles the guest, and gives it pipes (pipes.py).
set -eu
toll=$1
folder=$2
lib=$3
cd "$(dirname "$0")"
for program in node clang wasm-ld python3; do
    command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
[ -f "$lib/toll.wasm" ] || { echo "skipped: no toll.wasm in this build"; exit 77; }
mkdir -p "$folder"
clang --target=wasm32-wasi --sysroot=/usr -O1 -Wall -Wextra -Werror -c pipes.c -o "$folder/pipes.o"
clang --target=wasm32-wasi --sysroot=/usr "$folder/pipes.o" -o "$folder/pipes.wasm"
python3 pipes.py "$toll" "$folder"
