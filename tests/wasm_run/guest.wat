;; guest.wat - copies its standard input to standard output, writes "done\n" to standard error, and ends. Its exports
;; take and give numbers; `twice` gives two of them.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "other" "never" (func $never))
  (memory (export "memory") 1)
  (data (i32.const 0) "\20\00\00\00\40\00\00\00") ;; 64 bytes at 32
  (data (i32.const 8) "\10\00\00\00\05\00\00\00done\n")
  (global $begun (mut i32) (i32.const 0))
  (func (export "_initialize") (global.set $begun (i32.const 7)))
  (func (export "begun") (result i32) (global.get $begun))
  (func (export "nothing"))
  (func (export "call_other") call $never)
  (func (export "twice") (param i64 i32) (result i64 i32) (local.get 0) (local.get 1))
  (func (export "_start")
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 128)))
    (i32.store (i32.const 4) (i32.load (i32.const 128)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 128)))
    (drop (call $write (i32.const 2) (i32.const 8) (i32.const 1) (i32.const 128)))))
