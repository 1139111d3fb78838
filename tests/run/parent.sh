#!/bin/sh
# parent.sh TOLL LIB - a program ends together with the toll run that has started it. If toll run is killed, no program
# keeps running that would replace the output later.
. "$(dirname "$0")/support.sh"

cat >spin.lua <<'S'
#!/usr/bin/env lua5.4
io.stdout:write("go\n") io.stdout:flush()
while os.clock() < 60 do end
S
cat >spin.wat <<'S'
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\00\00\00\03\00\00\00go\0a")
  (func (export "_start") (local i64)
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))
    (loop (br_if 0 (i64.lt_u (local.tee 0 (i64.add (local.get 0) (i64.const 1))) (i64.const 100000000000))))))
S
wat2wasm spin.wat -o spin.wasm || exit 1

for guest in spin.lua spin.wasm; do
    echo untouched >p.folded
    mkfifo pipe
    "$toll" run -q -o p.folded $guest >pipe 2>err &
    pid=$!
    exec 3<pipe # its end is reached when no process has it open any more
    read -r word <&3
    [ "$word" = go ] || fail "$guest: said '$word': $(cat err)"
    kill -KILL $pid
    wait $pid 2>/dev/null
    perl -e 'alarm 20; 1 while <STDIN>' <&3 || fail "$guest runs on"
    exec 3<&-
    rm pipe
    [ "$(cat p.folded)" = untouched ] || fail "$guest: replaced the output"
done
finish
