;; A kernel that writes its rollup's metadata as an output.
(module
  (import "smart_rollup_core" "reveal_metadata" (func $reveal_metadata (param i32 i32) (result i32)))
  (import "smart_rollup_core" "write_output" (func $write_output (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "kernel_run")
    (drop (call $write_output (i32.const 0) (call $reveal_metadata (i32.const 0) (i32.const 100))))))
