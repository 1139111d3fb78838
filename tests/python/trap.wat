;; run(n) calls the host at depth n; the host may call back, raise, or return. boom traps there.
(module
  (import "env" "host" (func $host (param i32) (result i32)))
  (func $step (param i32) (result i32)
    (if (result i32) (i32.eqz (local.get 0))
      (then (call $host (i32.const 5)))
      (else (i32.add (i32.const 1) (call $step (i32.sub (local.get 0) (i32.const 1)))))))
  (func $down (param i32)
    (if (i32.eqz (local.get 0)) (then (unreachable)))
    (call $down (i32.sub (local.get 0) (i32.const 1))))
  (func (export "run") (param i32) (result i32) (call $step (local.get 0)))
  (func (export "boom") (param i32) (call $down (local.get 0)))
  (func (export "leaf") (result i32) (i32.const 9)))
