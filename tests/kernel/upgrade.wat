;; Replaces itself by the external message it reads (after its first byte), and asks for a reboot.
(module
  (import "smart_rollup_core" "read_input" (func $read_input (param i32 i32 i32) (result i32)))
  (import "smart_rollup_core" "store_write" (func $store_write (param i32 i32 i32 i32 i32) (result i32)))
  (import "smart_rollup_core" "store_delete" (func $store_delete (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "/kernel/boot.wasm/kernel/env/reboot")
  (func (export "kernel_run") (local $size i32)
    (loop $next
      (local.set $size (call $read_input (i32.const 100) (i32.const 1000) (i32.const 4096)))
      (if (local.get $size) (then
        (if (i32.load8_u (i32.const 1000)) (then
          (drop (call $store_delete (i32.const 0) (i32.const 17)))
          (drop (call $store_write (i32.const 0) (i32.const 17) (i32.const 0)
            (i32.const 1001) (i32.sub (local.get $size) (i32.const 1))))
          (drop (call $store_write (i32.const 17) (i32.const 18) (i32.const 0) (i32.const 0) (i32.const 0)))
          (return)))
        (br $next))))))
