# support.sh - for the tests beside it, which source it: test.sh TOLL LIB. An empty folder with two guests in it,
# ok.lua and tiny.wasm, each of which prints "ran"; with guests=lua, set before, ok.lua alone, and the build needs no
# toll.wasm. `fail` prints what is wrong, `finish` ends the test.
set -u
toll=$1
lib=$2
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "skipped: $1"
    exit 77
}
guests=${guests:-all}
needed=lua5.4
if [ "$guests" = all ]; then
    needed="lua5.4 node wat2wasm perl"
    [ -f "$lib/toll.wasm" ] || skip "no toll.wasm in this build"
fi
for program in $needed; do
    command -v "$program" >/dev/null 2>&1 || skip "there is no $program"
done
[ -f "$lib/lua/5.4/toll.so" ] || skip "no module for Lua 5.4 in this build"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
finish() { exit $failed; }

cat >ok.lua <<'S'
#!/usr/bin/env lua5.4
local function leaf() end
leaf()
print("ran")
S
[ "$guests" = lua ] || cat >tiny.wat <<'S'
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\00\00\00\04\00\00\00ran\0a")
  (func $leaf)
  (func (export "_start") call $leaf
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))
S
[ "$guests" = lua ] || wat2wasm --debug-names tiny.wat -o tiny.wasm || exit 1

# run STATUS ARGUMENTS...: toll run, whose words go to the files out and err.
run() {
    expected=$1
    shift
    "$toll" run "$@" >out 2>err
    status=$?
    [ $status = "$expected" ] || fail "toll run $*: exit status $status, not $expected: $(cat err)"
}
never_ran() { [ ! -s out ] || fail "$1: the program ran"; }
ran() { [ "$(cat out)" = ran ] || fail "$1: the program printed '$(cat out)'"; }

# said TEXT: standard error is just that line.
said() { [ "$(cat err)" = "$1" ] || fail "said '$(cat err)', not '$1'"; }
