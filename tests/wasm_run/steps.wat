;; steps.wat - run(n) calls step n times.
(module
  (func $step)
  (func (export "run") (param $n i32)
    (loop $again
      (call $step)
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
