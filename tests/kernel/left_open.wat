;; A kernel that begins the section "u" once for each external message, and never ends it: its first text is the end of
;; a section that has not begun.
(module
  (import "smart_rollup_core" "read_input" (func $read_input (param i32 i32 i32) (result i32)))
  (import "smart_rollup_core" "write_debug" (func $write_debug (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "[Debug] __wasm_debugger__::start_section(u)\n[Debug] __wasm_debugger__::end_section(u)\n")
  (func $begin (call $write_debug (i32.const 0) (i32.const 44)))
  (func $handle (param $size i32)
    (if (i32.eq (i32.load8_u (i32.const 2000)) (i32.const 1)) (then (call $begin))))
  (func (export "kernel_run") (local $size i32)
    (call $write_debug (i32.const 44) (i32.const 42))
    (loop $more
      (local.set $size (call $read_input (i32.const 1000) (i32.const 2000) (i32.const 4096)))
      (call $handle (local.get $size))
      (br_if $more (local.get $size)))))
