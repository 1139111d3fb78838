#!/bin/sh
# run.sh BUILD SOURCE - installs into a folder of its own and uses it as a stranger would: the embedding
# example through pkg-config and through CMake, the command, a script that requires "toll".
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expected="twice 3
twice;square 6"
cmake --install "$build" --prefix "$work/usr" >/dev/null
pc=$(find "$work/usr" -name toll.pc)
sed -i "s|^prefix=.*|prefix=$work/usr|" "$pc"
lib=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH="$(dirname "$pc")" LD_LIBRARY_PATH="$lib"
# shellcheck disable=SC2046 # the flags are words
cc -std=c11 "$source/examples/embed.c" $(pkg-config --cflags --libs toll) -o "$work/embed"
[ "$("$work/embed")" = "$expected" ] || { echo "FAILED: embed through pkg-config: $("$work/embed")"; exit 1; }

mkdir "$work/cmake"
cat >"$work/cmake/CMakeLists.txt" <<C
cmake_minimum_required(VERSION 3.18)
project(embed C)
find_package(Toll REQUIRED)
add_executable(embed $source/examples/embed.c)
target_link_libraries(embed Toll::toll_static)
C
cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$work/usr" >/dev/null
cmake --build "$work/cmake/build" >/dev/null
[ "$("$work/cmake/build/embed")" = "$expected" ] || { echo "FAILED: embed through CMake"; exit 1; }

toll=$work/usr/bin/toll
cd "$work"
echo 'local function f() return 1 end f()' >s.lua
if command -v lua5.4 >/dev/null 2>&1; then
    "$toll" run -q -o s.pb.gz lua5.4 s.lua
    "$toll" check s.pb.gz >/dev/null
    so=$(find "$work/usr" -path '*5.4/toll.so')
    echo 'local toll = require "toll" toll.start() toll.stop() assert(toll.snapshot():report())' >r.lua
    LUA_CPATH="$(dirname "$so")/?.so" lua5.4 r.lua
fi
man -l "$work/usr/share/man/man1/toll.1" >/dev/null
bash -n "$work/usr/share/bash-completion/completions/toll"
echo "installed and used"
