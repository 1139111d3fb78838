;; A kernel that has as many functions under kernel_run as an external message says (4 bytes, the lowest first), and then
;; writes an output: also one without a function more, by an import.
(module
  (import "smart_rollup_core" "read_input" (func $read_input (param i32 i32 i32) (result i32)))
  (import "smart_rollup_core" "write_output" (func $write_output (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func $descend (param $more i32)
    (if (i32.gt_u (local.get $more) (i32.const 1))
      (then (call $descend (i32.sub (local.get $more) (i32.const 1))))
      (else (drop (call $write_output (i32.const 2000) (i32.const 1))))))
  (func (export "kernel_run")
    (loop $more
      (if (call $read_input (i32.const 1000) (i32.const 2000) (i32.const 4096)) (then
        (if (i32.eq (i32.load8_u (i32.const 2000)) (i32.const 1))
          (then (call $descend (i32.load (i32.const 2001)))))
        (br $more))))))
