;; The guest of most cases. Its imports are what the case's lines `host` say, and the exit of WASI.
(module
  (import "env" "host" (func $host (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (global $end (mut i32) (i32.const 4096))
  (table 2 funcref)
  (elem (i32.const 0) $leaf $nine)
  (type $number (func (result i32)))

  (func $leaf (export "leaf") (result i32) (i32.const 9))
  (func $nine (result i32) (nop) (call $leaf))

  ;; run(n): a loop, branches, calls of all kinds.
  (func $twice (param i32) (result i32) (i32.add (call $leaf) (call_indirect (type $number) (local.get 0))))
  (func (export "run") (param i32) (result i32) (local i32)
    (loop $more
      (if (local.get 0)
        (then
          (local.set 1 (i32.add (local.get 1) (call $twice (i32.and (local.get 0) (i32.const 1)))))
          (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
          (br $more))))
    (local.get 1))

  ;; deep(n): n frames of one function. wide(n): 2 to the power of n stacks.
  (func $down (param i32) (result i32)
    (if (result i32) (local.get 0)
      (then (i32.add (i32.const 1) (call $down (i32.sub (local.get 0) (i32.const 1)))))
      (else (i32.const 0))))
  (func (export "deep") (param i32) (result i32) (call $down (local.get 0)))
  (func $left (param i32) (if (local.get 0) (then (call $branch (i32.sub (local.get 0) (i32.const 1))))))
  (func $right (param i32) (nop) (if (local.get 0) (then (call $branch (i32.sub (local.get 0) (i32.const 1))))))
  (func $branch (param i32) (call $left (local.get 0)) (call $right (local.get 0)))
  (func (export "wide") (param i32) (call $branch (local.get 0)))

  ;; What ends calls otherwise: a trap at depth n, an exit, whatever the host does.
  (func $fall (param i32)
    (if (i32.eqz (local.get 0)) (then (unreachable)))
    (call $fall (i32.sub (local.get 0) (i32.const 1))))
  (func (export "trap") (param i32) (call $leaf) (drop) (call $fall (local.get 0)))
  (func $quit (param i32) (call $proc_exit (local.get 0)))
  (func (export "exit") (param i32) (call $quit (local.get 0)))
  (func $ask (export "ask") (param i32) (result i32) (i32.add (call $leaf) (call $host (local.get 0))))

  ;; Memory: functions that allocate, known by their names; and a growth of the guest's own.
  (func $malloc (param i32) (result i32) (local i32)
    (local.set 1 (global.get $end))
    (global.set $end (i32.add (global.get $end) (local.get 0)))
    (local.get 1))
  (func $free (param i32))
  (func $keep (param i32) (drop (call $malloc (local.get 0))))
  (func (export "allocate") (param i32)
    (call $keep (i32.mul (local.get 0) (i32.const 2)))
    (call $free (call $malloc (local.get 0))))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))

  ;; both(n): asks the host; both(0): traps.
  (func (export "both") (param i32) (result i32)
    (if (result i32) (local.get 0)
      (then (call $host (local.get 0)))
      (else (call $fall (i32.const 0)) (i32.const 0)))))
