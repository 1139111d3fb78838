#!/bin/sh
# run.sh TOLL SOURCE DIR LIB - toll.wasm of LIB has the exports and imports of include/toll/embedder.h, with the types
# that interface.txt has; the program in docs/embedder.md profiles a guest as toll.mjs does; calls.mjs; and windows.mjs.
set -eu
toll=$1
source=$2
dir=$3
lib=$4
here=$source/tests/embedder
fail() {
    echo "FAILED: $*"
    exit 1
}
[ -e "$lib/toll.wasm" ] || { echo "skipped: toll.wasm was not built"; exit 77; }
for program in node clang wasm-ld wasm-objdump wat2wasm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"

# "export NAME TYPE" and "import MODULE.NAME TYPE" of each function.
wasm-objdump -x "$lib/toll.wasm" | awk '
    / - type\[/ { sub(/.*type\[/, ""); n = $0; sub(/\].*/, "", n); sub(/^[0-9]*\] /, ""); type[n] = $0 }
    / - func\[.* sig=/ {
        f = $0; sub(/.*func\[/, "", f); sub(/\].*/, "", f)
        t = $0; sub(/.* sig=/, "", t); sub(/[^0-9].*/, "", t)
        of[f] = type[t]
        if (/ <- /) { sub(/.* <- /, ""); print "import " $0 " " type[t] }
    }
    / - func\[.* -> "/ {
        f = $0; sub(/.*func\[/, "", f); sub(/\].*/, "", f)
        sub(/.* -> "/, ""); sub(/"$/, ""); print "export " $0 " " of[f]
    }' | LC_ALL=C sort >interface.txt
if [ "${TOLL_UPDATE:-}" ]; then cp interface.txt "$here/interface.txt"; fi
diff "$here/interface.txt" interface.txt || fail "the interface is frozen: see toll/embedder.h. New exports: TOLL_UPDATE=1"

sed -n 's/^TOLL_EXPORT("\([a-z_]*\)").*/\1/p' "$source/include/toll/embedder.h" | LC_ALL=C sort >declared
sed -n 's/^export \([a-z_]*\) .*/\1/p' interface.txt | grep -vx _initialize >exported
diff declared exported || fail "toll/embedder.h declares too much (<) or too little (>)"
sed -n 's/^import \([a-z_0-9]*\)\.\([a-z_]*\) .*/\2/p' interface.txt | while read -r name; do
    grep -qw "$name" "$source/include/toll/embedder.h" || fail "toll/embedder.h does not name the import $name"
done
echo "$(wc -l <exported) exports are those of toll/embedder.h"

# The program of the page.
sed -n '/^```js$/,/^```$/p' "$source/docs/embedder.md" | sed '/^```/d' >embedder.mjs
clang --target=wasm32 -O0 -mbulk-memory -nostdlib -Wl,--no-entry "$source/tests/wasm_engine/programs.c" -o programs.wasm
wat2wasm --debug-names "$here/trap.wat" -o trap.wasm
for guest in programs trap; do
    for format in folded speedscope.json; do
        TOLL_WASM=$lib/toll.wasm node embedder.mjs $guest.wasm run 2 $guest.$format >$guest.out || fail "docs/embedder.md, $guest"
        node "$here/expected.mjs" "$lib" $guest.wasm 2 $guest.$format >$guest.expected
        diff $guest.expected $guest.out || fail "$guest: another result"
    done
    "$toll" report -q --json $guest.folded | grep -q '"total": *[1-9]' || fail "$guest: an empty profile"
done
grep -q unreachable trap.out || fail "no trap"
node "$here/calls.mjs" "$lib" programs.wasm trap.wasm
wat2wasm --enable-exceptions --debug-names "$here/windows.wat" -o windows.wasm
node "$here/windows.mjs" "$lib" windows.wasm
