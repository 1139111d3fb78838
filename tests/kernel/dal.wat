;; A kernel that writes page 3 of slot 1 of level 258, of the data availability layer, as an output.
(module
  (import "smart_rollup_core" "reveal" (func $reveal (param i32 i32 i32 i32) (result i32)))
  (import "smart_rollup_core" "write_output" (func $write_output (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\02\00\00\01\02\01\00\03")
  (func (export "kernel_run")
    (drop (call $write_output (i32.const 100) (call $reveal (i32.const 0) (i32.const 8) (i32.const 100) (i32.const 4096))))))
