#!/bin/sh
# run.sh PLACES SOURCE DIR TOLL LIB - compiles programs in DIR in all the ways that this machine can, and has judge.mjs compare
# Toll with llvm-symbolizer at random addresses: DEBUG_ADDRESSES of each program (default 2000). With DEBUG_ALL=1 also
# programs that take long to build.
set -eu
places=$1
source=$2
dir=$3
toll=$4
lib=$5
count=${DEBUG_ADDRESSES:-2000}
has() { command -v "$1" >/dev/null 2>&1; }
for program in node clang wasm-ld llvm-symbolizer llvm-cxxfilt; do
    has $program || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
: >empty
judged=
programs=$source/tests/corpus/programs
wasi="--target=wasm32-wasi --sysroot=/usr"

# Compiled and linked in two steps, without -O in the second: clang would run wasm-opt.
if [ -e /usr/lib/wasm32-wasi/crt1-command.o ] && [ -e /usr/include/stb/stb_image.h ]; then
    # shellcheck disable=SC2086 # options are words
    for version in 4 ${DEBUG_ALL:+5}; do
        clang $wasi -isystem /usr/include/stb -w -gdwarf-$version -O1 -c "$programs/picture.c" -o picture$version.o
        clang $wasi picture$version.o -o picture$version.wasm
        judged="$judged picture$version.wasm"
    done
else
    echo "no programs of C: wasi-libc and libstb-dev bring what they need"
fi
clang --target=wasm64 -nostdlib -w -gdwarf-5 -O1 -c "$source/tests/debug_info/calls.c" -o calls64.o
wasm-ld -mwasm64 --no-entry --export-all calls64.o -o calls64.wasm
judged="$judged calls64.wasm"

clang --target=wasm32 -nostdlib -w -gdwarf-4 -O1 -c "$source/tests/debug_info/calls.c" -o calls32.o
wasm-ld --no-entry --export=run calls32.o -o calls32.wasm
judged="$judged calls32.wasm"

# Methods are declared in one place and defined in another.
for version in 4 5; do
    clang++ --target=wasm32 -nostdlib -w -gdwarf-$version -O1 -fno-rtti -fno-exceptions -c "$source/tests/debug_info/shapes.cpp" -o shapes$version.o
    wasm-ld --no-entry --export=run --allow-undefined shapes$version.o -o shapes$version.wasm
    judged="$judged shapes$version.wasm"
done

# A program for SBF is an ELF file; for its debug information the machine does not matter.
if has ld.lld; then
    clang --target=x86_64-unknown-none -nostdlib -fPIC -w -gdwarf-5 -O1 -c "$source/tests/debug_info/calls.c" -o calls.o
    ld.lld -shared calls.o -o calls.so
    printf '\367\000' | dd of=calls.so bs=1 seek=18 conv=notrunc 2>/dev/null # machine 247, BPF
    judged="$judged calls.so"
fi

# GCC names lists of ranges by their offsets, where Clang has numbers.
if has gcc && [ "$(uname -m)" = x86_64 ]; then
    gcc -nostdlib -shared -fPIC -w -gdwarf-5 -O2 "$source/tests/debug_info/calls.c" -o gcc.so
    printf '\367\000' | dd of=gcc.so bs=1 seek=18 conv=notrunc 2>/dev/null
    judged="$judged gcc.so"
fi

# Older versions, and offsets of 64 bits; sections that are compressed.
for version in 2 3; do
    clang --target=wasm32 -nostdlib -w -gdwarf-$version -O1 -c "$source/tests/debug_info/calls.c" -o old$version.o
    wasm-ld --no-entry --export=run old$version.o -o old$version.wasm
    judged="$judged old$version.wasm"
done
if has ld.lld; then
    clang --target=x86_64-unknown-none -nostdlib -fPIC -w -gdwarf-5 -gdwarf64 -O1 -c "$source/tests/debug_info/calls.c" -o wide.o
    ld.lld -shared wide.o -o wide.so
    ld.lld -shared --compress-debug-sections=zlib calls.o -o compressed.so
    judged="$judged wide.so compressed.so"
fi

# Split DWARF: llvm-symbolizer finds the .dwo files, and their package, too.
for version in 4 5; do
    clang --target=wasm32 -nostdlib -w -gdwarf-$version -gsplit-dwarf -O1 -c "$source/tests/debug_info/calls.c" -o split$version.o
    wasm-ld --no-entry --export=run split$version.o -o split$version.wasm
    judged="$judged split$version.wasm"
    clang --target=wasm32 -nostdlib -w -gdwarf-$version -gsplit-dwarf -O1 -c "$source/tests/debug_info/calls.c" -o package$version.o
    wasm-ld --no-entry --export=run package$version.o -o package$version.wasm
    has llvm-dwp || { echo "no package of split DWARF: there is no llvm-dwp"; continue; }
    llvm-dwp package$version.dwo -o package$version.wasm.dwp 2>/dev/null
    rm package$version.dwo
    judged="$judged package$version.wasm"
done
if [ -n "${DEBUG_ALL:-}" ] && [ -e picture5.wasm ]; then
    for version in 4 5; do
        # shellcheck disable=SC2086
        clang $wasi -isystem /usr/include/stb -w -gdwarf-$version -gsplit-dwarf -O1 -c "$programs/picture.c" -o picture-split$version.o
        # shellcheck disable=SC2086
        clang $wasi picture-split$version.o -o picture-split$version.wasm
        judged="$judged picture-split$version.wasm"
    done
fi

# rustc of Debian has its library for wasm32 in a package; others may have it by rustup.
for rustc in rustc /usr/bin/rustc; do
    [ -n "${DEBUG_ALL:-}" ] && has $rustc || continue
    [ -e "$($rustc --print target-libdir --target wasm32-wasi 2>/dev/null)" ] || continue
    $rustc --target wasm32-wasi -g -O -C linker=wasm-ld "$source/tests/debug_info/program.rs" -o rust.wasm
    $rustc --target wasm32-wasi -g -O -C linker=wasm-ld -C symbol-mangling-version=v0 \
        "$source/tests/debug_info/program.rs" -o rust-v0.wasm
    judged="$judged rust.wasm rust-v0.wasm"
    break
done

# emcc has Binaryen finish each module, which changes nothing where 64-bit integers may be passed to JavaScript.
if [ -n "${DEBUG_ALL:-}" ] && has emcc; then
    for level in 0 2; do
        emcc -g -O$level -c "$programs/json.cpp" -o json$level.o
        emcc -g -sWASM_BIGINT json$level.o -o json$level.js
        judged="$judged json$level.wasm"
    done
    emcc -g json2.o -o finished.js # what Binaryen changes leaves ranges that overlap: names alone are judged
    mv finished.wasm finished.rewritten.wasm
    judged="$judged finished.rewritten.wasm"
fi

# Modules that Binaryen has rewritten; that of Debian 12 knows no DWARF 5.
if has wasm-opt; then
    for module in picture4 json2 rust; do
        [ -e $module.wasm ] || continue
        wasm-opt -g -O2 $module.wasm -o $module.rewritten.wasm
        judged="$judged $module.rewritten.wasm"
    done
fi

# shellcheck disable=SC2086 # a list of words
node "$source/tests/debug_info/judge.mjs" "$places" llvm-symbolizer "$count" $judged
if [ -e "$lib/toll.wasm" ]; then
    node "$source/tests/debug_info/lines.mjs" "$toll" "$lib"
    if [ -e /usr/lib/wasm32-wasi/crt1-command.o ]; then
        # shellcheck disable=SC2086 # options are words
        clang $wasi -g -O0 -c "$source/tests/debug_info/program.c" -o program.o
        clang $wasi program.o -o program.wasm
        node "$source/tests/debug_info/run.mjs" "$toll" "$source/tests/debug_info/program.c"
        # shellcheck disable=SC2086 # options are words
        clang $wasi -g -O1 -c "$source/tests/debug_info/callers.c" -o callers.o
        clang $wasi callers.o -o callers.wasm
        node "$source/tests/debug_info/callers.mjs" "$toll" "$source/tests/debug_info/callers.c"
        mkdir -p objects
        # shellcheck disable=SC2086
        clang $wasi -gdwarf-5 -gsplit-dwarf -O0 -c "$source/tests/debug_info/program.c" -o objects/split.o
        # shellcheck disable=SC2086
        clang $wasi -gdwarf-5 -gsplit-dwarf -O0 -c "$source/tests/debug_info/callers.c" -o objects/other.o
        # shellcheck disable=SC2086
        clang $wasi objects/split.o -o split.wasm
        if has llvm-objcopy && has llvm-dwarfdump; then
            node "$source/tests/debug_info/beside.mjs" "$toll" "$source/tests/debug_info/program.c"
        else
            echo "no debug information beside programs: there is no llvm-objcopy or llvm-dwarfdump"
        fi
    fi
else
    echo "no lines of a run: there is no toll.wasm"
fi
