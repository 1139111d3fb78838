#!/bin/sh
# subproject.sh SOURCE CMAKE - another CMake project adds Toll by add_subdirectory and by FetchContent: it links
# Toll::toll, and nothing else of Toll is built, tested or installed; its own build type stays.
set -eu
source=$1
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $1"
    exit 1
}

project() { # name, how Toll is added
    mkdir -p "$work/$1"
    cat >"$work/$1/CMakeLists.txt" <<S
cmake_minimum_required(VERSION 3.18)
project(vm LANGUAGES C)
enable_testing()
$2
add_executable(vm $source/examples/embed/tinyvm.c)
target_link_libraries(vm PRIVATE Toll::toll)
file(WRITE \${CMAKE_BINARY_DIR}/type "\${CMAKE_BUILD_TYPE}")
install(TARGETS vm)
S
    "$cmake" -S "$work/$1" -B "$work/$1/build" >"$work/log" 2>&1 || { cat "$work/log"; fail "$1: does not configure"; }
    build=$work/$1/build
    [ ! -s "$build/type" ] || fail "$1: the build type is set: $(cat "$build/type")"
    "$cmake" --build "$build" -j 2 >"$work/log" 2>&1 || { tail -30 "$work/log"; fail "$1: does not build"; }
    tests=$("${cmake%cmake}ctest" --test-dir "$build" -N | sed -n 's/^Total Tests: //p')
    [ "$tests" = 0 ] || fail "$1: the project has $tests tests of Toll"
    made=$(find "$build" -type f \( -name 'toll' -o -name 'toll.so' -o -name 'libtoll.so*' -o -name '*.wasm' -o -name 'test_*' \))
    [ -z "$made" ] || fail "$1: more than the library is built: $made"
    TOLL_OUT=$work/out.folded "$build/vm" >/dev/null
    diff "$source/examples/embed/expected.folded" "$work/out.folded" || fail "$1: another profile"
    DESTDIR=$work/$1/installed "$cmake" --install "$build" >/dev/null
    installed=$(find "$work/$1/installed" -type f ! -name vm)
    [ -z "$installed" ] || fail "$1: more than the project is installed: $installed"
}

project fetched "include(FetchContent)
FetchContent_Declare(toll SOURCE_DIR $source)
FetchContent_MakeAvailable(toll)"
project added "add_subdirectory($source toll)"
echo "add_subdirectory and FetchContent: Toll::toll alone"
