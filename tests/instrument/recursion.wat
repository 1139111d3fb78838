;; recursion.wat - functions that call one another, and themselves, and one that goes deep.
(module
  (import "env" "host" (func $host (param i32)))
  (func $a (param i32)
    (if (local.get 0) (then
      (call $b (i32.sub (local.get 0) (i32.const 1)))
      (call $c (i32.shr_u (local.get 0) (i32.const 1))))))
  (func $b (param i32)
    (if (i32.and (local.get 0) (i32.const 3)) (then (call $c (i32.sub (local.get 0) (i32.const 1))))
      (else (if (local.get 0) (then (call $b (i32.sub (local.get 0) (i32.const 1))))))))
  (func $c (param i32)
    (call $host (local.get 0))
    (if (local.get 0) (then
      (call $a (i32.sub (local.get 0) (i32.const 1)))
      (call $b (i32.shr_u (local.get 0) (i32.const 2))))))
  (func $deep (param i32) (result i32)
    (if (result i32) (local.get 0)
      (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1)))))
      (else (i32.const 0))))
  (func $run (export "run") (param i32) (call $a (local.get 0)))
  (func (export "again") (param i32) (call $run (local.get 0)))
  (func (export "go_deep") (param i32) (result i32) (call $deep (local.get 0))))
