#!/bin/sh
# run.sh TOLL LIB SOURCE DIR [TEST...] - builds the programs and pages in DIR, and tests their heap profiles. "few": the
# tests that have a program of their own name, which scripts/check runs. "chromium", "firefox": what users asked for, in
# that browser.
set -eu
toll=$1
lib=$2
source=$3
dir=$4
shift 4
programs= # all
if [ "$*" = few ]; then
    programs="editor plain worker held threads newer_node family family_threads"
    # shellcheck disable=SC2086 # the list is words
    set -- $programs message
fi
browser=chromium
requirements=
case "$*" in
chromium | firefox)
    requirements=$1
    programs="mono plain family family_threads"
    [ "$1" = chromium ] || browser=firefox-esr
    ;;
esac
here=$source/tests/emscripten
for program in node npm $browser emcc; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir/page" "$dir/editor"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$here" .
cp "$here"/*.mjs "$here"/*.cjs "$source/tests/browser/chromium.mjs" "$source/tests/readers/common.mjs" \
    "$source/tests/readers/perfview_reader.mjs" .
export NODE_PATH="$dir/node_modules" # Emscripten's optimiser needs acorn, which Debian leaves to another package

# Make a file with a command if it is not newer than all of the sources.
newer() { # file, sources...
    [ -e "$1" ] && [ -z "$(find "$@" -newer "$1")" ]
}
is_needed() { # program
    case " $programs " in "  " | *" $1 "*) true ;; *) false ;; esac
}
build() { # name, source file, options...
    name=$1
    from=$2
    shift 2
    is_needed "$name" || return 0
    newer "page/$name.js" "$from" "$here/newer_library.js" "$lib/toll-heap-pre.js" "$lib/toll-heap.c" "$here/run.sh" ||
        emcc "$from" --profiling-funcs -o "page/$name.js" "$@"
}
newer editor/editor.js "$source/examples/emscripten/editor.cpp" "$lib/toll-heap.c" "$here/run.sh" ||
    sh "$source/examples/emscripten/build.sh" "$lib" editor
build stacks "$here/stacks.c" --pre-js "$lib/toll-heap-pre.js" -O1 --memoryprofiler -sALLOW_MEMORY_GROWTH
build stacks_own "$here/stacks.c" "$lib/toll-heap.c" -O1 -sALLOW_MEMORY_GROWTH
build held "$here/stacks.c" --pre-js "$lib/toll-heap-pre.js" -O1 --memoryprofiler -sALLOW_MEMORY_GROWTH \
    -sEXPORTED_FUNCTIONS=_main,_malloc,_free,_mallinfo
build worker "$here/stacks.c" --pre-js "$lib/toll-heap-pre.js" -O2 --memoryprofiler -sALLOW_MEMORY_GROWTH -sMODULARIZE -sEXPORT_NAME=Stacks
build plain "$here/stacks.c" --pre-js "$lib/toll-heap-pre.js" -O1
build bare "$here/stacks.c" -O1 --memoryprofiler -sALLOW_MEMORY_GROWTH
build threads "$here/threads.c" --pre-js "$lib/toll-heap-pre.js" -O1 --memoryprofiler -pthread -sPTHREAD_POOL_SIZE=1
build unwatched "$here/threads.c" -O1 --memoryprofiler -pthread -sPTHREAD_POOL_SIZE=1
build_newer() { # name, options...: as if by a newer Emscripten
    name=$1
    shift
    build "$name" "$here/stacks.c" -O1 --tracing --js-library "$here/newer_library.js" -sALLOW_MEMORY_GROWTH \
        -sEXPORTED_FUNCTIONS=_main,___heap_base,_sbrk,_emscripten_stack_get_base,_emscripten_stack_get_end,_emscripten_stack_get_current "$@"
}
build_newer newer_page
build_newer newer_node --pre-js "$lib/toll-heap-pre.js" -sMODULARIZE
build_family() { # name, options...: with toll-heap.c instead of Emscripten's profiler
    name=$1
    shift
    build "$name" "$here/family.cpp" "$lib/toll-heap.c" -faligned-allocation -sALLOW_MEMORY_GROWTH -sEXPORTED_RUNTIME_METHODS=UTF8ToString \
        -sEXPORTED_FUNCTIONS=_main,_free,_malloc "$@"
}
build_family family -O2
build_family family_emmalloc -O2 -sMALLOC=emmalloc
build_family family_plain -O0
build_family family_module -O2 -sMODULARIZE -sEXPORT_NAME=Family
build_family family_lto -O2 -flto
build_family family_main -O2 -sMAIN_MODULE=2
build_family family_threads -O2 -pthread -sPTHREAD_POOL_SIZE=4 -sINITIAL_MEMORY=64MB
build_family family_proxy -O2 -pthread -sPTHREAD_POOL_SIZE=5 -sPROXY_TO_PTHREAD -sINITIAL_MEMORY=64MB -sMALLOC=emmalloc
build family_profiler "$here/family.cpp" --pre-js "$lib/toll-heap-pre.js" --memoryprofiler -O2 -faligned-allocation -sALLOW_MEMORY_GROWTH \
    -sEXPORTED_RUNTIME_METHODS=UTF8ToString -sEXPORTED_FUNCTIONS=_main,_free,_malloc
build mono "$here/mono.c" "$lib/toll-heap.c" -O1 -sALLOW_MEMORY_GROWTH
build none "$here/none.c" --pre-js "$lib/toll-heap-pre.js" -O1 --memoryprofiler
if [ -e /usr/include/stb/stb_image.h ]; then
    build gallery "$here/gallery.c" --pre-js "$lib/toll-heap-pre.js" -O1 --memoryprofiler -sALLOW_MEMORY_GROWTH -idirafter /usr/include/stb
else
    echo "no gallery: Debian's package libstb-dev brings stb_image.h"
fi
cp "$source/examples/emscripten/index.html" editor
for folder in page editor; do
    cp "$lib/toll-heap.mjs" "$lib/toll-heap-file.mjs" "$lib/toll-heap.js" "$lib/library.mjs" "$lib/embedder.mjs" "$lib/toll.wasm" $folder
done
cp "$here"/*.html "$here/work.js" page
if [ -n "$requirements" ]; then
    node requirements.mjs "$requirements" "$toll"
else
    node heap.mjs "$toll" "$@"
fi
