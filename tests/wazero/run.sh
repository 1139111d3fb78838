#!/bin/sh
# run.sh DIR LIB TOLL - the Go module toll-go/wazero (LIB/wazero), with the oldest wazero that it works with and with the newest:
# profiles must be those of Node. Needs Go, and its module proxy the first time.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
dir=$1
lib=$2
toll=$3
skip() { echo "skipped: $*"; exit 77; }
for program in go node clang wasm-ld wat2wasm; do
    command -v $program >/dev/null 2>&1 || skip "there is no $program"
done
[ -e "$lib/wazero/toll.wasm" ] || skip "there is no toll.wasm"
minor=$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')
[ "$minor" -ge 22 ] || skip "Go 1.$minor; wazero needs 1.22"
mkdir -p "$dir"
cd "$dir"
cp "$source"/*.go "$source"/*.mod "$source"/*.sum "$source/node.mjs" .
mkdir -p runner
cp "$source/../conformance/runner.go" runner/main.go
# Compiled and linked in two steps: when clang links with -O, it runs wasm-opt, if there is one, which takes the names away.
clang --target=wasm32 -O2 -c "$source/guest.c"
wasm-ld --no-entry guest.o -o guest.wasm
clang --target=wasm32-wasi -O1 -fno-builtin -c "$source/program.c" 2>/dev/null || skip "there is no libc for wasm32"
# Without the debug information of the libc: then counts are of basic blocks.
clang --target=wasm32-wasi -Wl,--strip-debug program.o -o program.wasm
node node.mjs "$lib" guest.wasm
"$toll" run --heap --clock none -q -o node.pb.gz program.wasm 3 one >/dev/null || [ $? -eq 3 ]
clang --target=wasm32 -O0 -mbulk-memory -nostdlib -Wl,--no-entry "$source/../wasm_engine/programs.c" -o programs.wasm
"$toll" run --lines --clock none -q -o node.lines.pb.gz --invoke run programs.wasm 2 >/dev/null
# With debug information: what a compiler makes now, and what one has made, whose costs are known.
clang --target=wasm32 -g -O2 -c "$source/../debug_info/calls.c" -o lines.o
wasm-ld --no-entry --export=run lines.o -o lines.wasm
"$toll" run --lines --inlines --clock none -q -o node.debug.pb.gz --invoke run lines.wasm 50 >/dev/null
cp "$source/../../fuzz/corpus/debug_code/dwarf5.wasm" debug.wasm
"$toll" run --lines --clock none -q -o node.exit.lines.pb.gz program.wasm 3 one >/dev/null || [ $? -eq 3 ]

export GOFLAGS=-mod=mod GOTOOLCHAIN=local TOLL="$toll"
fetched() { # go.mod...
    go mod download "$@" >fetch.log 2>&1 && return
    grep -q -E "dial tcp|no such host|connection refused|403 Forbidden|i/o timeout|TLS handshake" fetch.log || { cat fetch.log; exit 1; }
    echo "wazero cannot be fetched:"
    tail -3 fetch.log
    return 1
}
fetched || exit 77
go vet ./...
go test -count=1 -timeout 10m ./...
conformance=$source/../conformance
lacks="call_lines clock no_calls timeline folded_within_a_call"
sh "$conformance/run.sh" make "$toll" "$dir/cases"
go build -o run_cases ./runner
(cd cases && SOURCE_DATE_EPOCH=1700000000 ../run_cases . $lacks >printed.txt)
sh "$conformance/run.sh" judge "$toll" "$dir/cases" $lacks
if command -v gcc >/dev/null 2>&1; then # the race detector needs cgo
    go test -race -count=1 -timeout 10m -run While ./...
fi
if [ "$minor" -ge 25 ]; then
    fetched -modfile=newest.mod && go test -count=1 -timeout 10m -modfile=newest.mod ./...
else
    echo "not with the newest wazero, which needs Go 1.25: this is 1.$minor"
fi
