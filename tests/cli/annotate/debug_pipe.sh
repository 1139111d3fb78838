# The command does not wait for pipes in a folder of debug information, nor for a pipe that a module names as its source
# map or debug information.
cp "$DATA/asm/tiny.wasm" map.wasm && cp map.wasm other.wasm && mkdir folder
printf '\000\027\020sourceMappingURL\005m.map' >>map.wasm
printf '\000\032\023external_debug_info\005d.dbg' >>other.wasm
mkfifo m.map d.dbg folder/x.so
for debug in map.wasm other.wasm folder; do
    timeout 20 "$TOLL" annotate --debug $debug "$DATA/asm/asm.pb.gz" 2>&1 | grep warning || echo "$debug: waits"
done
