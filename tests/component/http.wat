;; A component that handles HTTP requests, by hand through the canonical ABI (make.mjs adds wasi:http). It takes a turn for each
;; byte of the path and query; then, by the second byte of the path: t traps, l does not return, w waits for an hour, e answers with an
;; error, and all others with the number of turns as a digit, u without the end of the body.
(module
  (import "wasi:http/types@0.2.12" "[method]incoming-request.path-with-query" (func $path (param i32 i32)))
  (import "wasi:http/types@0.2.12" "[constructor]fields" (func $fields (result i32)))
  (import "wasi:http/types@0.2.12" "[constructor]outgoing-response" (func $response (param i32) (result i32)))
  (import "wasi:http/types@0.2.12" "[method]outgoing-response.body" (func $body (param i32 i32)))
  (import "wasi:http/types@0.2.12" "[static]response-outparam.set" (func $set (param i32 i32 i32 i32 i64 i32 i32 i32 i32)))
  (import "wasi:http/types@0.2.12" "[method]outgoing-body.write" (func $write (param i32 i32)))
  (import "wasi:http/types@0.2.12" "[static]outgoing-body.finish" (func $finish (param i32 i32 i32 i32)))
  (import "wasi:http/types@0.2.12" "[resource-drop]incoming-request" (func $drop-request (param i32)))
  (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush" (func $flush (param i32 i32 i32 i32)))
  (import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-stream (param i32)))
  (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $in (param i64) (result i32)))
  (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
  (memory (export "memory") 1)
  (global $next (mut i32) (i32.const 1024))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) ;; memory begins anew with each request
    global.get $next
    (global.set $next (i32.and (i32.add (i32.add (global.get $next) (local.get 3)) (i32.const 7)) (i32.const -8))))
  (func $turn (param $turns i32) (result i32) ;; 3, and the end
    local.get $turns
    i32.const 1
    i32.add)
  (func $forever (loop $again (br $again)))
  (func $fail unreachable)
  (func $answer (param $out i32) (param $turns i32) (param $what i32) (local $response i32) (local $stream i32)
    (local.set $response (call $response (call $fields)))
    (call $body (local.get $response) (i32.const 16))
    (call $set (local.get $out) (i32.const 0) (local.get $response) (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (call $write (i32.load (i32.const 20)) (i32.const 24))
    (local.set $stream (i32.load (i32.const 28)))
    (i32.store8 (i32.const 32) (i32.add (i32.const 48) (local.get $turns)))
    (call $flush (local.get $stream) (i32.const 32) (i32.const 1) (i32.const 40))
    (call $drop-stream (local.get $stream))
    (if (i32.ne (local.get $what) (i32.const 0x75))
      (then (call $finish (i32.load (i32.const 20)) (i32.const 0) (i32.const 0) (i32.const 64)))))
  (func (export "wasi:http/incoming-handler@0.2.12#handle") (param $request i32) (param $out i32) (local $turns i32) (local $what i32)
    (global.set $next (i32.const 1024))
    (call $path (local.get $request) (i32.const 0))
    (call $drop-request (local.get $request))
    (loop $again
      (local.set $turns (call $turn (local.get $turns)))
      (br_if $again (i32.lt_u (local.get $turns) (i32.load (i32.const 8)))))
    (local.set $what (i32.load8_u offset=1 (i32.load (i32.const 4))))
    (if (i32.eq (local.get $what) (i32.const 0x78)) (then (call $fail)))
    (if (i32.eq (local.get $what) (i32.const 0x6c)) (then (call $forever)))
    (if (i32.eq (local.get $what) (i32.const 0x77)) (then (call $block (call $in (i64.const 3600000000000)))))
    (if (i32.eq (local.get $what) (i32.const 0x65))
      (then (call $set (local.get $out) (i32.const 1) (i32.const 2) (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))
      (else (call $answer (local.get $out) (local.get $turns) (local.get $what))))))
