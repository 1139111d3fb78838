;; asyncify.wat - wasm-opt --asyncify makes it leave all of its functions in sleep, and come back to it.
(module
  (import "env" "sleep" (func $sleep))
  (memory (export "memory") 1)
  (func $leaf (call $sleep))
  (func $middle (call $leaf) (call $leaf))
  (func $run (export "run") (call $middle) (call $leaf)))
