#!/bin/sh
# ffi.sh SOURCE [FFI] - what hosts/solana/src/ffi.rs says of libtoll (or FFI, a changed copy) is what the headers
# say: constants, the signature of each function, each field's type and place. The C++ compiler compares types and
# signatures with those that are generated here from ffi.rs; then rustc and the C compiler each print sizes and
# offsets as they see them.
set -eu
source=$1
ffi=${2:-$source/hosts/solana/src/ffi.rs}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}
command -v c++ >/dev/null 2>&1 || { echo "skipped: there is no c++; Debian's package g++ brings it"; exit 77; }

# One declaration a line, without comments: "const NAME TYPE VALUE", "struct NAME", "field STRUCT NAME TYPE",
# "fn NAME(PARAMETERS) -> RESULT".
sed -e 's|//.*||' "$ffi" | tr '\n' ' ' | sed -e 's/  */ /g' -e 's/pub const /\n&/g' -e 's/pub struct /\n&/g' \
    -e 's/pub fn /\n&/g' -e 's/, }/ }/g' -e 's/( /(/g' -e 's/, )/)/g' | sed -n \
    -e 's/^pub const \([A-Z_]*\): \([a-z0-9_]*\) = \([^;]*\);.*/const \1 \2 \3/p' \
    -e 's/^pub struct \([A-Za-z]*\) { \([^}]*\) }.*/struct \1 \2/p' \
    -e 's/^pub \(fn [^;]*\);.*/\1/p' >"$work/declared"
for word in const struct fn; do
    [ "$(grep -c "^$word " "$work/declared")" = "$(grep -c "^ *pub $word " "$ffi")" ] ||
        fail "ffi.rs: not every 'pub $word' was understood; teach ffi.sh its form"
done

# The types of Rust in C, const behind what it is about: *const c_char is char const *.
awk -v work="$work" '
    function c_name(name) { # RecorderOptions: toll_recorder_options
        gsub(/[A-Z]/, "_&", name)
        return "toll" tolower(name)
    }
    function c_type(t) {
        if (sub(/^\*const /, "", t)) return c_type(t) " const *"
        if (sub(/^\*mut /, "", t)) return c_type(t) " *"
        if (t in simple) return simple[t]
        return c_name(t)
    }
    function list(text, named,   part, count, i, out) { # of parameters
        count = split(text, part, ", ")
        for (i = 1; i <= count; i++) {
            if (named) sub(/^[a-z_]*: /, "", part[i])
            out = out (i > 1 ? ", " : "") c_type(part[i])
        }
        return out
    }
    function signature(text, named,   result) { # "(PARAMETERS) -> RESULT"
        result = "void"
        if (match(text, / -> .*/)) {
            result = c_type(substr(text, RSTART + 4))
            text = substr(text, 1, RSTART - 1)
        }
        gsub(/^\(|\)$/, "", text)
        return result " (" list(text, named) ")"
    }
    function field(owner, text,   name, type, c) {
        name = text; sub(/:.*/, "", name); sub(/^pub /, "", name)
        type = text; sub(/^[^:]*: /, "", type)
        c = name == "kind" ? "type" : name
        print "    printf(\"%s.%s %zu\\n\", \"" owner "\", \"" name "\", offsetof(" c_name(owner) ", " c "));" >layout_c
        print "    println!(\"" owner "." name " {}\", std::mem::offset_of!(ffi::" owner ", " name "));" >layout_rs
        if (type ~ /^\[/) return
        if (sub(/^extern "C" fn/, "", type)) type = "std::add_pointer<" signature(type, 0) ">::type"
        else type = c_type(type)
        print "SAME(decltype(" c_name(owner) "::" c "), " type ", \"" owner "." name "\");" >types
    }
    function fields(owner, text,   at, depth, i, c, start) { # split at the commas outside of brackets
        start = 1
        for (i = 1; i <= length(text) + 1; i++) {
            c = i > length(text) ? "," : substr(text, i, 1)
            depth += (c == "(") - (c == ")")
            if (c != "," || depth) continue
            at = substr(text, start, i - start); sub(/^ /, "", at)
            if (at != "") field(owner, at)
            start = i + 1
        }
    }
    BEGIN {
        types = work "/types.inc"; layout_c = work "/layout_c.inc"; layout_rs = work "/layout_rs.inc"
        split("c_int int c_char char c_void void u32 uint32_t u64 uint64_t i64 int64_t usize size_t", pair, " ")
        for (i = 1; i in pair; i += 2) simple[pair[i]] = pair[i + 1]
    }
    $1 == "const" { print "static_assert(TOLL_" $2 " == " c_type($3) "(" $4 "), \"" $2 "\");" >types }
    $1 == "struct" {
        print "    printf(\"%s %zu\\n\", \"" $2 "\", sizeof(" c_name($2) "));" >layout_c
        print "    println!(\"" $2 " {}\", std::mem::size_of::<ffi::" $2 ">());" >layout_rs
        owner = $2; $1 = $2 = ""; sub(/^ */, "")
        fields(owner, $0)
    }
    $1 == "fn" {
        name = $2; sub(/\(.*/, "", name)
        text = $0; sub(/^fn [a-z_]*/, "", text)
        print "SAME(decltype(" name "), " signature(text, 1) ", \"" name "\");" >types
    }' "$work/declared"

# Rust has numbers for enums, and no types for what it only hands on: in C++ both sides become that.
cat >"$work/types.cpp" <<'EOF'
#include <cstdint>
#include <toll/toll.h>
#include <type_traits>
template <class T, bool is_enum = std::is_enum<T>::value> struct plain { typedef T type; };
template <class T> struct plain<T, true> { typedef int type; };
#define OPAQUE(name) template <> struct plain<name, false> { typedef void type; };
OPAQUE(toll_recorder)
OPAQUE(toll_profile)
OPAQUE(toll_timeline)
OPAQUE(toll_svm)
OPAQUE(toll_allocator)
OPAQUE(toll_format_options)
template <class T> struct plain<T const, false> { typedef typename plain<T>::type const type; };
template <class T> struct plain<T *, false> { typedef typename plain<T>::type *type; };
template <class R, class... P> struct plain<R(P...), false> {
    typedef typename plain<R>::type type(typename plain<P>::type...);
};
#define SAME(c, rust, what) \
    static_assert(std::is_same<plain<c>::type, plain<rust>::type>::value, what)
#include "types.inc"
EOF
c++ -std=c++11 -Wall -Wextra -Werror -Wno-ignored-attributes -fsyntax-only -I"$source/include" "$work/types.cpp" 2>"$work/errors" || {
    grep -E 'error|static_assert' "$work/errors" | head -20
    fail "ffi.rs is not as include/toll has it"
}

{
    echo '#include <stdio.h>
#include <stddef.h>
#include <toll/toll.h>
int main(void)
{'
    cat "$work/layout_c.inc"
    echo '    return 0;
}'
} >"$work/layout.c"
cc -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/layout.c" -o "$work/layout_c"
"$work/layout_c" >"$work/c"
command -v rustc >/dev/null 2>&1 || { echo "types and signatures are the same; no rustc to compare offsets with"; exit 0; }
{
    echo '#[allow(dead_code)]
mod ffi {'
    sed -e '/^use libz_sys/d' -e 's|^//!|//|' "$ffi"
    echo '}
fn main() {'
    cat "$work/layout_rs.inc"
    echo '}'
} >"$work/layout.rs"
minor=$(rustc --version | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 77 ] || { echo "types and signatures are the same; rustc is older than 1.77 for offsets"; exit 0; }
rustc --edition 2021 "$work/layout.rs" -o "$work/layout_rs"
"$work/layout_rs" >"$work/rust"
diff "$work/c" "$work/rust" || fail "sizes and offsets: < as C has them, > as Rust has them"
echo "$(grep -c '^fn ' "$work/declared") functions, $(wc -l <"$work/c") sizes and offsets are the same"
