#!/bin/sh
# run.sh SOURCE [changes] - the declarations of include/toll in other languages are those that scripts/bindings generates, and
# structs have the same sizes and offsets in C, ctypes and Rust. With `changes` instead: any change of a header is noticed.
set -eu
source=$1
what=${2:-}
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || { echo "skipped: there is no Python from 3.9 on"; exit 77; }
for program in clang cc; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
fail() {
    echo "FAILED: $*"
    exit 1
}
python3 "$source/scripts/bindings" --check "$source" || fail "run scripts/bindings"

noticed() { # HEADER EXPRESSION FILE... - what sed makes of the header changes these files and no others
    header=include/toll/$1
    expression=$2
    shift 2
    rm -rf "$work/changed"
    mkdir -p "$work/changed"
    (cd "$source" && tar -cf - include hosts/*/embedder.* hosts/python/toll hosts/rust/sys/src/declarations.rs hosts/wasmtime/src/embedder.rs) |
        tar -xf - -C "$work/changed"
    sed -i "$expression" "$work/changed/$header"
    ! cmp -s "$source/$header" "$work/changed/$header" || fail "nothing to change: $expression"
    ! python3 "$source/scripts/bindings" --check "$work/changed" 2>"$work/said" || fail "not noticed: $expression"
    echo "bindings: not as include/toll has it: $(echo "$*" | sed 's/ /, /g'); run scripts/bindings" | diff - "$work/said" ||
        fail "$expression in $header"
}
python=hosts/python/toll/headers.py
rust=hosts/rust/sys/src/declarations.rs
constants="hosts/wasm/embedder.mjs hosts/python/toll/embedder.py hosts/wazero/embedder.go hosts/wasmtime/src/embedder.rs"
changes() {
    # Two fields of one size in another order; a field of another type; one more; one less.
    noticed svm.h 's/uint64_t id_address, id_size;/uint64_t id_size, id_address;/' $rust
    noticed format.h 's/size_t most_stacks;/double most_stacks;/' $python $rust
    noticed recorder.h 's/^    uint32_t counter_count;/&\n    uint32_t more;/' $rust
    noticed error.h 's/^    char text\[.*/    char text[500];/' $python $rust
    # Parameters: one more; another type; in another order. A result of another type.
    noticed profile.h 's/void toll_profile_free(toll_profile \*profile)/void toll_profile_free(toll_profile *profile, int how)/' $python $rust
    noticed recorder.h 's/void toll_recorder_free(toll_recorder \*recorder)/void toll_recorder_free(uint64_t *recorder)/' $rust
    noticed profile.h 's/int64_t toll_profile_start_ns/int32_t toll_profile_start_ns/' $python $rust
    noticed profile.h 's/toll_node_id \*parents, toll_frame_id \*frames, int64_t \*self/int64_t *self, toll_node_id *parents, toll_frame_id *frames/' $python $rust
    noticed profile.h 's/^TOLL_API void toll_profile_free(/TOLL_API void toll_profile_drop(toll_profile *profile);\n&/' $rust # one more
    # A parameter of a callback.
    noticed stream.h 's/typedef void (\*toll_progress_fn)(void \*user, /&uint32_t what, /' $python $rust
    # Values: of an enum, of those behind one that moves, of a macro; a new one.
    noticed error.h 's/TOLL_E_LIMIT = 2,/TOLL_E_LIMIT = 4,/' $python $rust
    noticed error.h 's/TOLL_E_UNSUPPORTED = 31,/TOLL_E_UNSUPPORTED = 32,/' $python $rust $constants
    noticed svm.h 's/0x706165/0x706166/' $rust
    noticed embedder.h 's/TOLL_RECORD_HEAP = 8,/TOLL_RECORD_HEAP = 2048,/' $constants
    noticed embedder.h 's/TOLL_IS_LOST = -1, //' $constants
    noticed embedder.h 's/define TOLL_EMBEDDER_VERSION 1/define TOLL_EMBEDDER_VERSION 2/' $constants
}
if [ "$what" = changes ]; then
    changes
    exit
fi

# The layout, as each compiler has it.
python3 "$source/tests/bindings/layout.py" "$source" "$work" >"$work/python"
cc -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/layout.c" -o "$work/layout_c"
"$work/layout_c" | sort >"$work/c"
sort "$work/python" | comm -13 "$work/c" - >"$work/only"
[ ! -s "$work/only" ] && [ -s "$work/python" ] || { cat "$work/only"; fail "ctypes has another layout than C"; }
echo "$(wc -l <"$work/python") sizes and offsets of ctypes are those of C"
command -v rustc >/dev/null 2>&1 || { echo "no rustc to compare its offsets with"; exit 0; }
minor=$(rustc --version | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 77 ] || { echo "rustc is older than 1.77, which has no offset_of"; exit 0; }
rustc --edition 2021 "$work/layout.rs" -o "$work/layout_rs"
"$work/layout_rs" | sort >"$work/rust"
comm -13 "$work/c" "$work/rust" >"$work/only"
[ ! -s "$work/only" ] && [ -s "$work/rust" ] || { cat "$work/only"; fail "Rust has another layout than C"; }
echo "$(wc -l <"$work/rust") sizes and offsets of Rust are those of C"
