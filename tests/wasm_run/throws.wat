;; throws.wat - an operator new that throws once, and is called from a deeper place later: three blocks of
;; 100 bytes are allocated in all.
(module
  (memory (export "memory") 1)
  (tag $none)
  (global $left (mut i32) (i32.const 1))
  (global $next (mut i32) (i32.const 1024))
  (func $_Znwm (param $size i32) (result i32)
    (if (global.get $left)
      (then (global.set $left (i32.const 0)) (throw $none)))
    (global.set $next (i32.add (global.get $next) (local.get $size)))
    (i32.sub (global.get $next) (local.get $size)))
  (func $deeper (drop (call $_Znwm (i32.const 100))))
  (func $deep (call $deeper) (call $deeper))
  (func (export "_start")
    (try (do (drop (call $_Znwm (i32.const 100)))) (catch_all))
    (call $deep)
    (drop (call $_Znwm (i32.const 100)))))
