# The source is in the module's source map, which is said; a map without it, and one that cannot be read.
cp "$DATA/asm/tiny.wasm" map.wasm && printf '\000\027\020sourceMappingURL\005m.map' >>map.wasm
try() {
    printf '%s' "$1" >m.map
    "$TOLL" annotate --debug map.wasm "$DATA/asm/asm.pb.gz"
    echo "status $?"
}
try '{"version":3,"sources":["t.c"],"sourcesContent":["int one;\nint two;\n"],"names":[],"mappings":"AAAA,gDACA"}' 2>&1
try '{"version":3,"sources":["t.c","u.c"],"sourcesContent":[null,"x"],"names":[],"mappings":"AAAA,gDCAA"}' 2>&1
try '{"version":3,"sources":["t.c"],"names":[],"mappings":"AAAA"}' 2>&1
try '{"version":2}' 2>&1
