;; What an instrumenter has to put elsewhere, and where the ticks have to be right: globals of the module's
;; own behind imported ones, data and elements placed by them; ends of functions in all ways, with and
;; without what may trap before them; loops and branches that compute in locals alone; traps.
(module
  (import "env" "host" (func $host (param i32) (result i32)))
  (import "env" "base" (global $base i32))
  (import "env" "count" (global $count (mut i32)))
  (memory (export "memory") 1)
  (table 4 funcref)
  (global $own (mut i32) (i32.const 1000))
  (global $copy i32 (global.get $base))
  (global $shown (export "shown") (mut i64) (i64.const 7))
  (elem (offset (global.get $base)) func $early $late)
  (data (offset (global.get $base)) "\05\06\07\08")
  (type $unary (func (param i32) (result i32)))

  (func $early (param i32) (result i32)
    (if (i32.gt_s (local.get 0) (i32.const 40)) (then (return (i32.const 3))))
    (br_if 0 (i32.const 4) (i32.lt_s (local.get 0) (i32.const 20)))
    drop
    (call $ends (local.get 0))
    (i32.add (local.get 0) (i32.const 11)))

  (func $late (param i32) (result i32) (local i32)
    (loop $sums
      (local.set 1 (i32.add (local.get 1) (local.get 0)))
      (if (i32.and (local.get 0) (i32.const 1))
        (then (local.set 1 (i32.xor (local.get 1) (i32.const 77))))
        (else
          (loop $inner
            (local.set 1 (i32.rotl (local.get 1) (i32.const 3)))
            (br_if $inner (i32.lt_u (local.get 1) (i32.const 100))))))
      (br_if $sums (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (local.get 1))

  (func $ends (param i32)
    (block
      (block
        (br_table 0 1 2 (i32.and (local.get 0) (i32.const 3))))
      (return))
    (br_if 0 (i32.eqz (local.get 0))))

  (func $nothing (nop))

  (func $traps (param i32) (result i32) (local i32)
    (loop $down
      (local.set 1 (i32.mul (i32.add (local.get 1) (i32.const 3)) (i32.const 5)))
      (br_if $down (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (if (i32.ne (local.get 1) (i32.const 0)) (then (unreachable)))
    (i32.const 0))

  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $each
      (local.set $sum (i32.add (local.get $sum)
        (call_indirect (type $unary) (local.get $i) (i32.add (global.get $base) (i32.and (local.get $i) (i32.const 1))))))
      (call $nothing)
      (global.set $own (i32.add (global.get $own) (i32.load8_u (i32.add (global.get $copy) (i32.and (local.get $i) (i32.const 3))))))
      (global.set $count (i32.add (global.get $count) (i32.const 1)))
      (global.set $shown (i64.add (global.get $shown) (i64.extend_i32_u (call $host (local.get $i)))))
      (br_if $each (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (if (i32.gt_u (local.get $n) (i32.const 60)) (then (drop (call $traps (local.get $n)))))
    (i32.add (local.get $sum) (i32.add (global.get $own) (global.get $count)))))
