#!/bin/sh
# go.sh TOLL SOURCE WORK LIB - makes the release's Go module, and adds it to the example in a folder of its own by `go get` from
# its proxy, with an empty cache of modules. What the example then records of a guest must be, to the last byte, what it
# records with the module of the build (LIB/wazero), and what `TOLL run` records in Node. Prints what differs; exit 77: no Go.
set -u
toll=$1
source=$2
work=$3
lib=$4
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
skip() {
    echo "skipped: $1"
    exit 77
}
git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "this is no clone of the repository"
for tool in go clang wasm-ld node cmake python3 cargo apt-get; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
[ -e "$lib/wazero/toll.wasm" ] || skip "there is no toll.wasm"
minor=$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')
[ "$minor" -ge 22 ] || skip "Go 1.$minor; wazero needs 1.22"

mkdir -p "$work"
cd "$work" || exit 1
RELEASE_DIST=$work/dist "$source/scripts/release" go >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ ! -e "$work/path" ] || chmod -R u+w "$work/path" # Go's cache is read-only
rm -rf "$work/path" "$work/proxy" "$work/got" "$work/built"
mkdir -p "$work/proxy" "$work/got" "$work/built"
tar xzf "$work"/dist/toll-go-proxy-*.tar.gz -C "$work/proxy" --strip-components=1
module=$(sed -n 's/^module //p' "$source/hosts/wazero/go.mod")
clang --target=wasm32-wasi -O1 -fno-builtin -c "$source/tests/wazero/program.c" 2>/dev/null || skip "there is no libc for wasm32"
# toll run divides counts among the lines of debug information, which the libc has.
clang --target=wasm32-wasi -Wl,--strip-debug program.o -o program.wasm
# To a file, as in the example: the guest asks what its output is.
"$toll" run --heap --clock none -q -o node.pb.gz program.wasm 3 one >node.out || [ $? -eq 3 ] || fail "toll run"

export GOTOOLCHAIN=local GOFLAGS=-mod=mod GONOSUMDB="$module"
example() { # folder, command that adds the module...: FOLDER/program.pb.gz
    (
        cd "$1" && cp "$source/examples/wazero/main.go" "$work/program.wasm" . || exit 1
        go mod init example >log 2>&1 && go mod edit -require github.com/tetratelabs/wazero@v1.9.0 || exit 1
        shift
        "$@" >>log 2>&1 && go build -o example . >>log 2>&1 || exit 1
        ./example program.wasm 3 one >out 2>>log
        [ $? = 3 ]
    ) || { cat "$work/$1/log"; fail "the example in $1"; }
}
fetches() {
    GOPATH=$work/path GOPROXY=file://$work/proxy,$(go env GOPROXY) go get "$module"
}
replaces() {
    go mod edit -require "$module@v0.0.0" -replace "$module=$lib/wazero"
}
(cd "$work/got" && GOPATH=$work/path GOPROXY=$(go env GOPROXY) go mod download github.com/tetratelabs/wazero@v1.9.0) >fetch.log 2>&1 ||
    { tail -3 fetch.log; skip "wazero cannot be fetched"; }
GOMODCACHE=$work/path/pkg/mod
export GOMODCACHE
example got fetches
example built replaces
[ "$(cd "$work/got" && go list -m -f '{{.Version}}' "$module")" = "v$("$toll" --version | sed -n '1s/^toll //p')" ] ||
    fail "go get has taken $(cd "$work/got" && go list -m "$module")"
for value in calls ticks; do
    for folder in got built .; do
        name=program
        [ $folder != . ] || name=node
        "$toll" convert -q --to folded --value $value --focus '^_start$' -o "$folder/$value.folded" "$folder/$name.pb.gz"
    done
    [ -s got/$value.folded ] || fail "$value: nothing is recorded"
    cmp got/$value.folded built/$value.folded || fail "$value: not as with the module of the build"
    cmp got/$value.folded $value.folded || fail "$value: not as by toll run"
done
[ $failed = 1 ] || echo "the example with $module by go get: $(wc -l <got/calls.folded) stacks as with the build's, and as in Node"
exit $failed
