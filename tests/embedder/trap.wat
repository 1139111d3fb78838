;; run(n) calls step(n), which calls itself down to step(0), which traps.
(module
  (func $step (param i32)
    (if (i32.eqz (local.get 0)) (then (unreachable)))
    (call $step (i32.sub (local.get 0) (i32.const 1))))
  (func (export "run") (param i32) (result i32)
    (call $step (local.get 0))
    (i32.const 7)))
