;; exceptions.wat - thrown through functions, caught in several ways; results of several values.
(module
  (import "env" "host" (func $host (param i32) (result i32)))
  (tag $problem (param i32))
  (func $throws (param i32) (result i32)
    local.get 0 i32.eqz if local.get 0 throw $problem end
    local.get 0 i32.const 1 i32.sub call $throws)
  (func $pair (param i32) (result i32 i64)
    local.get 0 i32.const 3 i32.gt_s if local.get 0 i64.const 4 return end
    local.get 0 i64.const 5)
  (func $catches (param i32) (result i32)
    try (result i32)
      local.get 0 call $throws
    catch $problem
      i32.const 100 i32.add
    end)
  (func $nested (param i32) (result i32)
    try (result i32)
      local.get 0 call $catches
      try (result i32)
        local.get 0 call $throws
      catch_all
        i32.const 7
        call $host
      end
      i32.add
    delegate 0)
  (func $rethrows (param i32) (result i32)
    try (result i32)
      try (result i32)
        local.get 0 call $throws
      catch $problem
        drop
        rethrow 0
      end
    catch_all
      i32.const 1
    end)
  (func (export "run") (param i32) (result i32)
    local.get 0 call $nested
    local.get 0 call $rethrows
    i32.add
    local.get 0 call $pair
    i32.wrap_i64 i32.add i32.add))
