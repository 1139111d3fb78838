;; windows.wat - functions that call one another, and the host, which may take long or call back.
(module
  (import "host" "slow" (func $slow))
  (import "host" "calls_back" (func $calls_back (param i32)))
  (import "host" "counts" (func $counts))
  (import "host" "throws" (func $throws))
  (memory 1)
  (func $leaf (param i32) (result i32) (i32.sub (local.get 0) (i32.const 1)))
  (func $work (export "work") (param i32)
    (loop (local.set 0 (call $leaf (local.get 0))) (br_if 0 (local.get 0))))
  (func (export "run") (param i32)
    (call $work (local.get 0))
    (call $slow)
    (call $calls_back (local.get 0))
    (call $work (local.get 0))
    (call $counts)
    (memory.fill (i32.const 0) (i32.const 7) (i32.const 20000)))
  (func (export "last") (param i32) (call $calls_back (local.get 0)))
  (func (export "nested") (param i32)
    (if (local.get 0) (then (call $calls_back (i32.sub (local.get 0) (i32.const 1)))))
    (call $slow))
  (func $deep (export "deep") (param i32)
    (if (local.get 0) (then (call $deep (i32.sub (local.get 0) (i32.const 1))))))
  (func $throw (call $throws))
  (tag $error)
  (func $raise (param i32)
    (call $work (local.get 0))
    (throw $error))
  (func (export "catches") (param i32)
    (call $work (local.get 0))
    try
      call $throw
    catch_all
    end
    try
      (call $raise (local.get 0))
    catch_all
    end)
  (func (export "fails") (param i32)
    (call $work (local.get 0))
    (call $slow)
    (if (i32.and (local.get 0) (i32.const 1)) (then (call $throws)))
    (unreachable)))
