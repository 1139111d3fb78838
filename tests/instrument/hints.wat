;; Branch hints: for `if` and `br_if`, in functions that change in different ways.
(module
  (import "env" "log" (func $log (param i32)))
  (tag $e (param i32))
  (func $plain (export "plain") (param i32) (result i32) (local i64 i32)
    (block $done
      local.get 0
      (@metadata.code.branch_hint "\00") br_if $done
      local.get 0
      (@metadata.code.branch_hint "\01") if
        i32.const 1
        call $log
      else
        i32.const 2
        call $log
      end)
    local.get 0)
  (func $none (export "none") (param i32) (result i32)
    (loop $again
      local.get 0
      if
        (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
        br $again
      end)
    local.get 0)
  (func $catches (export "catches") (param i32) (result i32)
    try (result i32)
      local.get 0
      (@metadata.code.branch_hint "\01") if
        local.get 0
        throw $e
      end
      i32.const 7
    catch $e
      i32.const 10
      i32.add
    end)
  (func $loops (export "loops") (param i32) (result i32) (local i32)
    (loop $again
      (local.set 1 (i32.add (local.get 1) (local.get 0)))
      (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))
      (@metadata.code.branch_hint "\01") br_if $again)
    local.get 1))
