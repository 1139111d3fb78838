;; outcome.wat - a program that prints "begun\n". With an argument it then loops without end.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\00\00\00\06\00\00\00begun\n")
  (func $leaf)
  (func $say (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 32))))
  (func $spin call $say (loop $again (br $again)))
  (func (export "_start")
    call $leaf
    (drop (call $sizes (i32.const 32) (i32.const 36)))
    (if (i32.gt_u (i32.load (i32.const 32)) (i32.const 1)) (then (call $spin)) (else (call $say)))))
