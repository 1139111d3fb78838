;; Every place where a module names a global: code, exports, constant expressions of globals, elements and data.
(module
  (import "host" "at" (global $at i32)) ;; 16
  (import "host" "log" (func $log (param i32)))
  (import "host" "one" (global $one_at i32)) ;; 1
  (import "host" "shared" (global $shared (mut i64)))
  (memory (export "memory") 1)
  (table 8 funcref)
  (global $own (export "own") (mut i32) (i32.const 7))
  (global $copy (export "copy") i32 (global.get $at))
  (global $f (export "f") f64 (f64.const 2.5))
  (global $ref (mut funcref) (ref.func $two))
  (elem (global.get $one_at) $one $two)
  (data (global.get $at) "abc")
  (data (i32.const 32) "xyz")
  (func $one (result i32) i32.const 1)
  (func $two (result i32) i32.const 2)
  (func (export "run") (param $n i32) (result f64)
    (global.set $own (i32.add (global.get $own) (local.get $n)))
    (global.set $shared (i64.add (global.get $shared) (i64.const 5)))
    (call $log (global.get $copy))
    (table.set 0 (i32.const 0) (global.get $ref))
    (f64.add (global.get $f)
      (f64.convert_i32_s
        (i32.add (call_indirect (result i32) (i32.const 0))
          (i32.add (call_indirect (result i32) (i32.const 1))
            (i32.load8_u (global.get $at))))))))
