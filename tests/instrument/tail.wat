;; tail.wat - tail calls: a million deep, nothing stands below.
(module
  (type $t (func (param i32 i32) (result i32)))
  (table funcref (elem $even $odd))
  (func $even (type $t)
    local.get 0 i32.eqz if i32.const 1 return end
    local.get 0 i32.const 1 i32.sub local.get 1 return_call $odd)
  (func $odd (type $t)
    local.get 0 i32.eqz if i32.const 0 return end
    local.get 0 i32.const 1 i32.sub local.get 1 i32.const 0 return_call_indirect (type $t))
  (func (export "run") (param i32) (result i32)
    local.get 0 i32.const 100000 i32.mul i32.const 0 call $even))
