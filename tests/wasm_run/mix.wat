;; An export that takes and gives numbers of all types.
(module
  (func (export "mix") (param i64 i32 f32 f64) (result i64 f64)
    (i64.add (local.get 0) (i64.extend_i32_s (local.get 1)))
    (f64.add (f64.promote_f32 (local.get 2)) (local.get 3))))
