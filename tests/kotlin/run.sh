#!/bin/sh
# run.sh TOLL NODES ENGINE LIB DIR - a program of Kotlin/Wasm, whose objects live in the engine's heap (WasmGC), compiled with the
# compiler of Maven Central: its ticks are wasmtime's fuel (ENGINE is the folder of the test wasm_engine), and in Node 24 (of
# NODES) it prints what it prints without Toll, as a WASI program and with JavaScript around it.
set -eu
toll=$1
nodes=$2
engine=$3
lib=$4
dir=$5
source=$(cd "$(dirname "$0")" && pwd)
for program in java mvn cargo jq; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
node=$nodes/node_modules/node24/bin
[ -x "$node/node" ] || { echo "skipped: there is no Node 24 in $nodes; the test node/setup fetches it"; exit 77; }
mkdir -p "$dir"
cd "$dir"
if ! cmp -s "$source/pom.xml" fetched.xml; then
    rm -rf lib
    mvn -q -B -f "$source/pom.xml" dependency:copy-dependencies -DoutputDirectory="$dir/lib" >mvn.log 2>&1 ||
        { tail -5 mvn.log; echo "skipped: Maven cannot fetch Kotlin's compiler here"; exit 77; }
    cp "$source/pom.xml" fetched.xml
fi
classes=$(echo lib/*.jar | tr ' ' ':')
kotlin() { # wasi or js, arguments
    target=$1
    shift
    java -cp "$classes" org.jetbrains.kotlin.cli.js.KotlinWasmCompiler -Xwasm-target="wasm-$target" \
        -libraries "$(echo lib/kotlin-stdlib-wasm-"$target"-*.klib)" -ir-output-name program "$@" >kotlin.log 2>&1 ||
        { cat kotlin.log; echo "FAILED: Kotlin's compiler"; exit 1; }
}
for target in wasi js; do
    rm -rf $target $target.klib
    kotlin $target -Xir-produce-klib-file -ir-output-dir $target.klib "$source/program.kt"
    kotlin $target -Xir-produce-js -Xinclude=$target.klib/program.klib -ir-output-dir $target
done

CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$engine/target}
export CARGO_TARGET_DIR
(cd "$source/../wasm_engine" && cargo build --locked >"$dir/cargo.log" 2>&1) || { tail -60 cargo.log; echo "FAILED: cargo build"; exit 1; }
"$CARGO_TARGET_DIR/debug/wasm-engine" programs wasi/program.wasm

PATH=$node:$PATH
fail() {
    echo "FAILED: $*"
    exit 1
}
node wasi/program.mjs >plain 2>/dev/null || fail "it does not run in $(node --version)"
[ "$(wc -l <plain)" = 4 ] || fail "it prints $(cat plain)"
"$toll" run -q --costs fuel -o run.pb.gz wasi/program.wasm >got && cmp plain got || fail "toll run: it prints $(cat got)"
"$toll" convert -q run.pb.gz --value calls -o run.folded
calls() { # function
    awk -v name="$1" '{ stack = $0; sub(/ [0-9]*$/, "", stack); sub(/.*;/, "", stack) } stack == name { sum += $NF } END { print sum + 0 }' run.folded
}
[ "$(calls sieve)" = 4 ] && [ "$(calls words)" = 4 ] || fail "sieve has $(calls sieve) calls, words $(calls words)"
[ "$(calls Parser.expression)" = 24 ] || fail "Parser.expression has $(calls Parser.expression) calls" # 3 texts, with 3 pairs of parentheses
TOLL_OUTPUT=js.pb.gz node --import "$lib/preload.mjs" js/program.mjs >got 2>err && cmp plain got || fail "preload.mjs: it prints $(cat got err)"
"$toll" report --json --value calls js.pb.gz >js.json
jq -e '.functions | map(select(.name == "sieve")) | .[0].calls == 4' js.json >/dev/null || fail "with JavaScript around it: $(head -c 300 js.json)"
echo "Kotlin/Wasm: ticks are wasmtime's fuel, and the calls those of the source"
