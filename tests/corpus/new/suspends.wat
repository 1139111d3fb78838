;; suspends.wat - calls a function of the host's that suspends the stack (JSPI), from a depth of n.
(module
  (import "env" "wait" (func $wait (param i32) (result i32)))
  (global $down (export "calls:down") (mut i32) (i32.const 0))
  (func $down (param $n i32) (param $d i32) (result i32)
    (global.set $down (i32.add (global.get $down) (i32.const 1)))
    (if (result i32) (i32.eqz (local.get $d))
      (then (call $wait (local.get $n)))
      (else (i32.add (call $down (local.get $n) (i32.sub (local.get $d) (i32.const 1))) (i32.const 1)))))
  (func (export "run") (param $n i32) (result i32)
    (call $down (local.get $n) (local.get $n))))
