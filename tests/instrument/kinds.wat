;; Calls of each kind, in known numbers: main calls $leaf 3 times directly and 5 times through the table, and $jump once through
;; it; $jump ends by calling $leaf through the table in its place, $step by calling it directly in its place.
(module
  (type $t (func (param i32) (result i32)))
  (import "env" "host" (func $host (type $t)))
  (table funcref (elem $leaf $jump $step $host))
  (func $leaf (type $t) (i32.add (local.get 0) (i32.const 1)))
  (func $jump (type $t) (return_call_indirect (type $t) (local.get 0) (i32.const 0)))
  (func $step (type $t) (return_call $leaf (local.get 0)))
  (func $main (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $again
      (local.set $n (call_indirect (type $t) (local.get $n) (i32.const 0)))
      (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 5))))
    (drop (call $leaf (call $leaf (call $leaf (local.get $n)))))
    (drop (call_indirect (type $t) (local.get $n) (i32.const 1)))
    (drop (call_indirect (type $t) (local.get $n) (i32.const 2)))
    (drop (call $step (local.get $n)))
    (drop (call $host (local.get $n)))
    (call_indirect (type $t) (local.get $n) (i32.const 3))))
