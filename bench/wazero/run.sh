#!/bin/sh
# run.sh BUILD - the cost of toll-go/wazero, compared with wzprof.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
for tool in clang clang++ node wasm-ld go; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 0; }
done
[ -e "$build/lib/wazero/toll.wasm" ] || { echo "skipped: there is no toll.wasm"; exit 0; }
mkdir -p "$build/bench_wazero"
cd "$build/bench_wazero"
cp -r "$here"/main.go "$here"/guest "$here"/go.mod "$here"/go.sum .
sh "$here/../wasm/calls_and_work.sh" .
[ -e "$build/debug-34-1/stripped.wasm" ] || sh "$here/../debug/units.sh" "$build/debug-34-1" 34 1 # 4 MB
export GOFLAGS=-mod=mod GOTOOLCHAIN=local
go mod download >fetch.log 2>&1 || { echo "skipped: wazero and wzprof cannot be fetched:"; tail -3 fetch.log; exit 0; }
go run . fib.wasm programs.wasm ../debug-34-1/units.wasm ../debug-34-1/stripped.wasm
echo "load: $(cat /proc/loadavg)"
