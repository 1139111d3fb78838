#!/bin/sh
# go.sh TOLL FOLDER LIB - compiles go/told.go, which prints what Go's runtime calls its own functions, and holds the names,
# files and lines of toll run to that; also of a program without a name section.
set -eu
toll=$1
folder=$2
lib=$3
cd "$(dirname "$0")"

skip() {
    echo "skipped: $1"
    exit 77
}

for program in node go; do
    command -v $program >/dev/null || skip "there is no $program"
done
[ -f "$lib/toll.wasm" ] || skip "no toll.wasm in this build"
go tool dist list 2>/dev/null | grep -q '^wasip1/wasm$' || skip "$(go version) is older than 1.21"
mkdir -p "$folder/go"

# Each line of the program's output is a name, a file and the text of the line where the function begins.
check() {
    "$toll" run -q -o "$folder/go/$1.pb.gz" "$folder/go/$1.wasm" >"$folder/go/$1.told"
    "$toll" report --json -n 0 "$folder/go/$1.pb.gz" >"$folder/go/$1.json"
    [ "$(wc -l <"$folder/go/$1.told")" = 3 ] || { echo "FAILED: $1 told something else"; exit 1; }
    tab=$(printf '\t')
    while IFS=$tab read -r name file text; do
        line=$(grep -nF "$text" go/told.go | sed -n '1s/:.*//p')
        wanted="{\"name\":\"$name\",\"file\":\"$file\",\"line\":$line,"
        grep -qF "$wanted" "$folder/go/$1.json" || {
            echo "FAILED: $1: no function is $wanted"
            grep -F "$name" "$folder/go/$1.json" || :
            exit 1
        }
    done <"$folder/go/$1.told"
    # One of the library's, which the program does not print.
    grep -q '"name":"runtime.(\*mheap).[a-zA-Z]*","file":"[^"]*/runtime/mheap.go","line":[1-9]' "$folder/go/$1.json" || {
        echo "FAILED: $1: no method of runtime.mheap has its file"
        exit 1
    }
}

export GO111MODULE=off GOOS=wasip1 GOARCH=wasm
go build -o "$folder/go/told.wasm" go/told.go
go build -ldflags=-s -o "$folder/go/bare.wasm" go/told.go
check told
check bare

# Lines that Go does not write: it is said so, and there are instructions, which add up.
"$toll" run -q --lines --clock none -o "$folder/go/lines.pb.gz" "$folder/go/told.wasm" >"$folder/go/lines.told"
for option in -q --debug="$folder/go/told.wasm"; do
    ! "$toll" annotate "$option" "$folder/go/lines.pb.gz" 2>"$folder/go/lines.said" &&
        grep -q 'Go writes none for WebAssembly; toll annotate --asm shows' "$folder/go/lines.said" || {
            cat "$folder/go/lines.said"
            echo "FAILED: what toll annotate says of Go's lines"
            exit 1
        }
done
"$toll" annotate -q --asm "$folder/go/lines.pb.gz" main.main >"$folder/go/main.asm"
grep -q '^ *[0-9.]*% .* 0x[0-9a-f]*  *call \$main\.' "$folder/go/main.asm" && ! grep -q 'something else' "$folder/go/main.asm" || {
    cat "$folder/go/main.asm"
    echo "FAILED: the instructions of Go's main"
    exit 1
}

# Goroutines that are resumed a thousand times are called once.
go build -o "$folder/go/switches.wasm" go/switches.go
for option in --quiet --call-lines --fold-recursion; do
    "$toll" run -q --clock none "$option" -o "$folder/go/switches.pb.gz" "$folder/go/switches.wasm" >"$folder/go/switches.told"
    "$toll" check -q "$folder/go/switches.pb.gz" >/dev/null
    "$toll" report -q --json -n 0 --value calls "$folder/go/switches.pb.gz" >"$folder/go/switches.json"
    for wanted in 'main.main 1' 'main.drive 1' 'main.worker 1' 'main.step 1000'; do
        grep -q "\"name\":\"${wanted% *}\",.*\"calls\":${wanted#* }[,}]" "$folder/go/switches.json" || {
            grep '"name":"main' "$folder/go/switches.json" || :
            echo "FAILED: $option: calls should be: $wanted"
            exit 1
        }
    done
done
echo "names of Go: as its runtime has them; resumptions of goroutines are no calls"
