#!/bin/sh
# go.sh TOLL SOURCE DIST WORK LIB - the release's Go module, added to the example in a folder of its own by `go get` from its
# proxy, with an empty cache of modules. What the example then records of a guest must be, to the last byte, what it records
# with the module of the build (LIB/wazero), and what `TOLL run` records in Node.
. "$(dirname "$0")/common.sh"
lib=$1
needs go clang wasm-ld node
[ -e "$lib/wazero/toll.wasm" ] || skip "there is no toll.wasm"
[ -e /usr/include/wasm32-wasi/stdio.h ] || skip "there is no libc for wasm32: wasi-libc has it"
minor=$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')
[ "$minor" -ge 22 ] || skip "Go 1.$minor; wazero needs 1.22"

mkdir -p "$work/proxy" "$work/got" "$work/built"
tar xzf "$(file_of "toll-go-proxy-*.tar.gz")" -C "$work/proxy" --strip-components=1
module=$(sed -n 's/^module //p' "$source/hosts/wazero/go.mod")
clang --target=wasm32-wasi -O1 -fno-builtin -c "$source/tests/wazero/program.c" || fail "the guest does not compile"
# toll run divides counts among the lines of debug information, which the libc has.
clang --target=wasm32-wasi -Wl,--strip-debug program.o -o program.wasm
# To a file, as in the example: the guest asks what its output is.
"$native" run --heap --clock none -q -o node.pb.gz program.wasm 3 one >node.out || [ $? -eq 3 ] || fail "toll run"

export GOTOOLCHAIN=local GOFLAGS="-mod=mod -modcacherw" GONOSUMDB="$module"
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
[ "$(cd "$work/got" && go list -m -f '{{.Version}}' "$module")" = "v$version" ] ||
    fail "go get has taken $(cd "$work/got" && go list -m "$module")"
for value in calls ticks; do
    for folder in got built .; do
        name=program
        [ $folder != . ] || name=node
        "$native" convert -q --to folded --value $value --focus '^_start$' -o "$folder/$value.folded" "$folder/$name.pb.gz"
    done
    [ -s got/$value.folded ] || fail "$value: nothing is recorded"
    cmp got/$value.folded built/$value.folded || fail "$value: not as with the module of the build"
    cmp got/$value.folded $value.folded || fail "$value: not as by toll run"
done
[ $failed = 1 ] || echo "the example with $module by go get: $(wc -l <got/calls.folded) stacks as with the build's, and as in Node"
exit $failed
