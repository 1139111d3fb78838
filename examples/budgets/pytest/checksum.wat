;; sum(count) is a checksum of `count` bytes, all 7.
(module
  (func $step (param i32) (result i32)
    local.get 0
    i32.const 7
    i32.xor
    i32.const 16777619
    i32.mul)
  (func (export "sum") (param $count i32) (result i32)
    (local $all i32)
    loop $next
      local.get $all
      call $step
      local.set $all
      local.get $count
      i32.const 1
      i32.sub
      local.tee $count
      br_if $next
    end
    local.get $all))
