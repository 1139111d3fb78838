;; Two core modules that call each other: $b calls $a's leaf, and $a calls what $b has put into its table.
(component
  (core module $a
    (type $unary (func (param i32) (result i32)))
    (memory (export "memory") 1)
    (table (export "table") 1 funcref)
    (global $calls (mut i32) (i32.const 0))
    (func $leaf (export "leaf") (type $unary) ;; 5 instructions, and the end
      global.get $calls
      i32.const 1
      i32.add
      global.set $calls
      local.get 0)
    (func $through (export "through") (type $unary) ;; 3, the end, and the callee's
      local.get 0
      i32.const 0
      call_indirect (type $unary))
    (func $count (export "count") (result i32) ;; 1, and the end
      global.get $calls)
    (func $fail (export "fail")
      unreachable))
  (core module $b
    (type $unary (func (param i32) (result i32)))
    (import "a" "leaf" (func $leaf (type $unary)))
    (import "a" "through" (func $through (type $unary)))
    (import "a" "count" (func $count (result i32)))
    (import "a" "fail" (func $fail))
    (import "a" "table" (table 1 funcref))
    (import "a" "memory" (memory 1))
    (elem (i32.const 0) $twice)
    (func $twice (type $unary) ;; 3, the end, and the callees'
      local.get 0
      call $leaf
      call $leaf)
    (func $run (export "run") (param $n i32) (result i32) ;; 8 a turn, 4 at the end
      (loop $again
        local.get $n
        call $through
        drop
        local.get $n
        i32.const 1
        i32.sub
        local.tee $n
        br_if $again)
      call $count)
    (func $broken (export "broken")
      call $fail))
  (core instance $ia (instantiate $a))
  (core instance $ib (instantiate $b (with "a" (instance $ia))))
  (func (export "run") (param "n" u32) (result u32) (canon lift (core func $ib "run")))
  (func (export "broken") (canon lift (core func $ib "broken"))))
