#!/bin/sh
# fuel.sh TOLL DIR LIB - the ticks of components in DIR (run.sh) under --costs fuel, in Node and in wasmtime, are what wasmtime
# counts for the same calls; and all tests of components in Python.
set -eu
toll=$1
dir=$2
lib=$3
source=$(cd "$(dirname "$0")" && pwd)
[ -e "$dir/two.wasm" ] || { echo "skipped: the test component has made no components"; exit 77; }
sh "$source/../python/environment.sh" "$dir/python" "$lib"
cd "$dir"
failed=0
mkdir -p of_module
cp calls.wasm of_module/lines.wasm # a module, as that test wants it
(cd of_module && ../python/venv/bin/python -W error "$source/../python/component.py") || failed=1
while read -r file name argument composed; do
    both=$(python/venv/bin/python -W error "$source/fuel.py" "$file" "$name" "$argument")
    wanted=${both% *} inside=${both#* }
    "$toll" run -q --clock none --costs fuel -o fuel.pb.gz --invoke "$name" "$file" "$argument" >/dev/null
    got=$("$toll" report --json fuel.pb.gz | python3 -c 'import json, sys; print(json.load(sys.stdin)["total"])')
    echo "$file $name $argument: $got ticks in Node, $inside in wasmtime, whose fuel is $wanted"
    # Between components, wasmtime's own code uses fuel, too.
    [ -n "$composed" ] && [ "$wanted" -gt "$inside" ] && wanted=$inside
    [ "$got" = "$wanted" ] && [ "$inside" = "$wanted" ] || failed=1
done <<END
two.wasm run 1
two.wasm run 20
two.wasm run 1000
memories.wasm run 7
store.wasm run 20 composed
inner.wasm run 5 composed
composed.wasm run 5 composed
END
exit $failed
