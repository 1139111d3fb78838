;; Plain instructions that trap: what was counted before them in a local has to be told.
(module
  (memory 1)
  (func (export "run") (param i32) (result i32) (local i32)
    (local.set 1 (i32.add (local.get 0) (i32.const 5)))
    (if (i32.eqz (local.get 0))
      (then (local.set 1 (i32.div_u (local.get 1) (local.get 0)))))
    (if (i32.eq (local.get 0) (i32.const 1))
      (then (local.set 1 (i32.load (i32.const -8)))))
    (if (i32.eq (local.get 0) (i32.const 2))
      (then (memory.fill (i32.const -8) (i32.const 0) (i32.const 64))))
    (local.get 1)))
