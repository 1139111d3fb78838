# Of a folder, the programs that the profile is of, of twins the one that says more, else the first by name; what is no file, or
# no program, is passed over. A warning if there is none. Inlined functions are known by addresses, of which a profile may have none.
mkdir -p own other/sub none
cp "$DATA/asm/tiny.wasm" own/b.wasm && cp own/b.wasm own/c.wasm
head -c 104 own/b.wasm >own/a.wasm # without names
printf '\0asm\1\0\0\0' >other/x.wasm
echo text >other/y.wasm
for debug in own own/b.wasm other none other/x.wasm other/y.wasm nowhere; do
    echo "$debug" >&2
    "$TOLL" convert --debug $debug "$DATA/asm/asm.pb.gz" -o out.json
    echo "$debug: $?"
done
for profile in example.folded lines/before.pb.gz asm/asm.pb.gz; do
    echo "$profile" >&2
    for option in --quiet --inlines; do
        "$TOLL" convert $option --debug own "$DATA/$profile" -o out.pb.gz
    done
done
