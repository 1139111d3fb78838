#!/bin/sh
# run.sh TOLL SOURCE DIR - programs of SBPF v3 that Solana's own tools have built (crate solana-sbpf has them for its tests), run by
# its virtual machine (src/main.rs): the names and counts that toll has are those of the loader's list of functions. Also of a file
# without section headers, which the loader of v3 does not read.
set -eu
toll=$1
source=$2
dir=$3
id=TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
fail() {
    echo "FAILED: $*"
    exit 1
}
command -v cargo >/dev/null 2>&1 || { echo "skipped: there is no cargo"; exit 77; }
rm -rf "$dir/runs"
mkdir -p "$dir/runs"
CARGO_TARGET_DIR=$dir/target
export CARGO_TARGET_DIR
cargo fetch --locked --manifest-path "$source/Cargo.toml" >"$dir/log" 2>&1 || { tail -3 "$dir/log"; echo "skipped: cargo cannot fetch solana-sbpf here"; exit 77; }
cargo build --locked --manifest-path "$source/Cargo.toml" >"$dir/log" 2>&1 || { tail -20 "$dir/log"; fail "cargo build"; }
crate=$(cargo metadata --locked --format-version 1 --manifest-path "$source/Cargo.toml" |
    grep -o '"manifest_path":"[^"]*/solana-sbpf-[^"]*/Cargo.toml"' | sed 's/.*:"//; s|/Cargo.toml"||')
[ -d "$crate/tests/elfs" ] || fail "solana-sbpf has no tests/elfs: $crate"

judged() { # FILE NAME: runs the file, and leaves NAME.expected
    "$dir/target/debug/sbpf-judge" "$1" $id "$dir/runs/$2" >"$dir/runs/$2.expected" 2>"$dir/log" || { cat "$dir/log"; fail "$2"; }
    grep -q ': V3, ' "$dir/log" || { cat "$dir/log"; fail "$2 is not of SBPF v3"; }
}
ours() { # NAME OPTIONS: names and instructions of the functions in its trace
    name=$1
    shift
    "$toll" convert -q --mangled --to folded "$@" "$dir/runs/$name/traces" |
        awk -F';' '{ n = $NF; sub(/ [0-9]+$/, "", n); c = $NF; sub(/.* /, "", c); sum[n] += c } END { for (n in sum) print n, sum[n] }' | LC_ALL=C sort
}
same() { # NAME WHAT: standard input is what NAME.expected says
    cat >"$dir/runs/found"
    LC_ALL=C sort "$dir/runs/$1.expected" | diff - "$dir/runs/found" || fail "$1: $2"
}
cd "$dir"
count=0
for name in strict_header rodata_section reloc_64_relative reloc_64_relative_data; do
    judged "$crate/tests/elfs/$name.so" $name
    ours $name --elf "$id=$crate/tests/elfs/$name.so" | same $name "by its symbols"
    ours $name --elf "$crate/tests/elfs/$name.so" | same $name "found by its code"
    count=$((count + 1))
done
grep -q foo runs/strict_header.expected || fail "strict_header has one function"

# Without section headers: e_shoff, e_shnum and e_shstrndx are 0.
file=$crate/tests/elfs/strict_header.so
cp "$file" runs/bare.so
chmod u+w runs/bare.so
dd if=/dev/zero of=runs/bare.so bs=1 seek=40 count=8 conv=notrunc 2>/dev/null
dd if=/dev/zero of=runs/bare.so bs=1 seek=60 count=4 conv=notrunc 2>/dev/null
judged runs/bare.so bare
cmp runs/bare/traces/trace.regs runs/strict_header/traces/trace.regs || fail "without section headers it runs otherwise"
cp runs/strict_header.expected runs/bare.expected
sed 's/^_ZN.*foo[^ ]*/fn@0/' runs/strict_header.expected | LC_ALL=C sort >runs/alone
ours bare --elf "$id=runs/bare.so" | diff runs/alone - || fail "without section headers there is the entrypoint alone"
ours bare --elf "$id=runs/bare.so" --elf "$id=$file" | same bare "by its unstripped twin"
echo "$count programs of SBPF v3, and one without section headers: functions are those of the loader"
