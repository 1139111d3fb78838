#!/bin/sh
# run.sh TOLL SOURCE DIR - programs of SBPF v0 and v3 that Solana's own tools have built (crate solana-sbpf has them for its tests),
# and the same as files of v1, v2 and v4 (src/versions.rs), run by its virtual machine (src/main.rs): the names and counts that
# toll has are those of the loader's list of functions. Also of a file without section headers, which the loader of v3 does not
# read.
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

judged() { # FILE NAME VERSION: runs the file, and leaves NAME.expected
    "$dir/target/debug/sbpf-judge" "$1" $id "$dir/runs/$2" >"$dir/runs/$2.expected" 2>"$dir/log" || { cat "$dir/log"; fail "$2"; }
    grep -q ": V$3, " "$dir/log" || { cat "$dir/log"; fail "$2 is not of SBPF v$3"; }
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
counts() { # FILE: its counts alone, since the loader has no names before v3
    sed 's/.* //' "$1" | LC_ALL=C sort
}
held_unnamed() { # FILE NAME VERSION: the file's functions by their addresses, and as many by its symbols
    judged "$1" "$2" "$3"
    ours "$2" | same "$2" "by its addresses"
    ours "$2" --elf "$id=$1" >runs/named
    [ "$(counts runs/named)" = "$(counts "runs/$2.expected")" ] || fail "$2: by its symbols: $(cat runs/named)"
    grep -q '^entrypoint ' runs/named && ! grep -q '^fn@' runs/named || fail "$2 has no names: $(cat runs/named)"
    count=$((count + 1))
}
held() { # FILE NAME VERSION: the file's functions by its symbols, and found by its code
    [ "$3" -ge 3 ] || { held_unnamed "$@"; return; }
    judged "$1" "$2" "$3"
    ours "$2" --elf "$id=$1" | same "$2" "by its symbols"
    ours "$2" --elf "$1" | same "$2" "found by its code"
    count=$((count + 1))
}
cd "$dir"
count=0
for name in strict_header rodata_section reloc_64_relative reloc_64_relative_data; do
    held "$crate/tests/elfs/$name.so" $name 3
done
for name in relative_call rodata_section; do
    held "$crate/tests/elfs/${name}_sbpfv0.so" ${name}_v0 0
done
as() { # VERSION NAME FILE: holds the file, made one of that version
    "$dir/target/debug/sbpf-judge" --as "$1" "$3" "runs/$2_v$1.so" || fail "$2 as v$1"
    held "runs/$2_v$1.so" "$2_v$1" "$1"
}
for version in 1 2; do
    as $version relative_call "$crate/tests/elfs/relative_call_sbpfv0.so"
done
as 1 rodata_section "$crate/tests/elfs/rodata_section_sbpfv0.so"
for name in strict_header rodata_section; do
    as 4 $name "$crate/tests/elfs/$name.so"
done
grep -q foo runs/strict_header.expected || fail "strict_header has one function"

# Without section headers: e_shoff, e_shnum and e_shstrndx are 0.
file=$crate/tests/elfs/strict_header.so
cp "$file" runs/bare.so
chmod u+w runs/bare.so
dd if=/dev/zero of=runs/bare.so bs=1 seek=40 count=8 conv=notrunc 2>/dev/null
dd if=/dev/zero of=runs/bare.so bs=1 seek=60 count=4 conv=notrunc 2>/dev/null
judged runs/bare.so bare 3
cmp runs/bare/traces/trace.regs runs/strict_header/traces/trace.regs || fail "without section headers it runs otherwise"
cp runs/strict_header.expected runs/bare.expected
sed 's/^_ZN.*foo[^ ]*/fn@0/' runs/strict_header.expected | LC_ALL=C sort >runs/alone
ours bare --elf "$id=runs/bare.so" | diff runs/alone - || fail "without section headers there is the entrypoint alone"
ours bare --elf "$id=runs/bare.so" --elf "$id=$file" | same bare "by its unstripped twin"
echo "$count programs of SBPF v0 to v4, and one without section headers: functions are those of the loader"
