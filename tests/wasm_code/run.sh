#!/bin/sh
# run.sh DUMP FOLDER LIB - the decoder against other readers of WebAssembly, instructions
# and their texts against the assembler's input, and the disassembler wasm2wat.
#   every.wasm      holds every instruction of the table, and was made from every.wat by the crate wat
#                   1.263.0; every.expected is what the crate wasmparser 0.263.0 finds in it, with its
#                   names respelt
#   every.wat       the part of it that is older than Debian's wabt, and
#   real programs   from clang, toll.wasm in LIB among them: the listing must be that of wasm-objdump -d, the texts those
#                   of wasm2wat
set -eu
dump=$1
folder=$2
lib=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

fail() {
    echo "wasm_code: $*"
    exit 1
}

# Offsets and names out of wasm-objdump's listing; lines that go on, and locals, have no name.
listing() {
    wasm-objdump -d "$1" | awk '/^ [0-9a-f]+:/ {
        offset = $1; sub(/^0+/, "", offset); sub(/:$/, "", offset)
        split(substr($0, index($0, "|") + 1), words, " ")
        if (words[1] != "" && words[1] !~ /^local\[/) print offset, words[1]
    }'
}

# The instructions of WAT with one on each line: without comments, heads of functions, what is around
# functions, and the bracket that closes one.
instructions() { # wat
    sed -e 's/ *;;.*//' -e 's/ *(;[^;]*;)//g' "$1" | awk '
        /^  \(/ { inside = /^  \(func/ }
        !inside || /^  \(/ || /^    \(/ || /^ *$/ { next }
        { sub(/^ */, ""); if (gsub(/\(/, "(") < gsub(/\)/, ")")) sub(/\)$/, ""); print }'
}

# Without what wasm2wat leaves out: the end of a function; an else without instructions; the table of
# return_call_indirect.
texts() { # module
    "$dump" --text "$1" | awk '
        /^end$/ && depth == 0 { next }
        held && !/^end$/ { print "else" }
        { held = /^else$/ }
        /^(block|loop|if|try|try_table)( |$)/ { depth++ }
        /^(end|delegate)( |$)/ { depth-- }
        !held { sub(/^return_call_indirect [0-9]+/, "return_call_indirect"); print }'
}

judge() { # module
    "$dump" "$1" >"$1.toll" || fail "$1 does not decode"
    listing "$1" >"$1.wabt"
    cmp "$1.toll" "$1.wabt" || fail "$1: wasm-objdump finds other instructions"
    texts "$1" >"$1.texts"
    wasm2wat --enable-all --no-check --no-debug-names "$1" >"$1.wat"
    instructions "$1.wat" >"$1.wabt"
    cmp "$1.texts" "$1.wabt" || fail "$1: wasm2wat writes other texts"
    echo "wasm_code: $(wc -l <"$1.toll") instructions of $(basename "$1") as in wasm-objdump and wasm2wat"
}

"$dump" "$here/every.wasm" >"$folder/every.toll" || fail "every.wasm does not decode"
cmp "$folder/every.toll" "$here/every.expected" || fail "every.wasm: other instructions than expected"
echo "wasm_code: $(wc -l <"$folder/every.toll") instructions of every.wasm as in wasmparser"

# The texts are those that every.wat has, where it is spelt as wasm2wat would.
"$dump" --text "$here/every.wasm" | tail -n +3 >"$folder/every.texts"
sed -n '/(func \$f/,$p' "$here/every.wat" | sed -e 's/ *;;.*//' -e 's/^ *//' -e '/^(func/d' -e '/^(local/d' \
    -e '/^)*$/d' -e 's/\$t/0/' -e 's/\$s/1/' -e 's/\$f/2/' -e 's/0x1234567890/78187493520/' \
    -e 's/x1.8p3/x1.8p+3/' -e 's/ anyref / (ref null any) /' \
    -e 's/i32x4 1 2 3 4/i32x4 0x00000001 0x00000002 0x00000003 0x00000004/' >"$folder/every.spelt"
echo end >>"$folder/every.spelt" # of the function
cmp "$folder/every.texts" "$folder/every.spelt" || fail "every.wasm: other texts than in every.wat"
command -v wasm-objdump >/dev/null || { echo "wasm_code: there is no wasm-objdump (wabt)"; exit 77; }
grep -v ';; new$' "$here/every.wat" >"$folder/old.wat"
wat2wasm --enable-all --no-check "$folder/old.wat" -o "$folder/old.wasm"
judge "$folder/old.wasm"

command -v wasm-ld >/dev/null || { echo "wasm_code: there is no clang for wasm32"; exit 77; }
if [ -e "$lib/toll.wasm" ]; then
    cp "$lib/toll.wasm" "$folder/program.wasm"
    judge "$folder/program.wasm"
else
    echo "wasm_code: not toll.wasm: it was not built"
fi
clang --target=wasm32 -nostdlib -std=c11 -O3 -msimd128 -mtail-call -mbulk-memory -Wl,--no-entry \
    -Wl,--export-all "$here/vectors.c" -o "$folder/vectors.wasm"
judge "$folder/vectors.wasm"
