(module
  (import "env" "wait" (func $wait))
  (global $sum (mut i32) (i32.const 0))
  (func $spin (param $n i32)
    loop
      global.get $sum
      local.get $n
      i32.xor
      i32.const 5
      i32.rotl
      global.set $sum
      local.get $n
      i32.const 1
      i32.sub
      local.tee $n
      br_if 0
    end)
  (func $one (param $n i32) local.get $n call $spin)
  (func $three (param $n i32) local.get $n call $spin local.get $n call $spin local.get $n call $spin)
  (func $waits call $wait)
  (func $deep (param $depth i32) (param $n i32)
    local.get $depth
    i32.eqz
    if
      local.get $n
      call $spin
    else
      local.get $depth
      i32.const 1
      i32.sub
      local.get $n
      call $deep
    end)
  (func $tiny)
  (func (export "events") (param $n i32)
    loop
      call $tiny
      local.get $n
      i32.const 1
      i32.sub
      local.tee $n
      br_if 0
    end)
  (func (export "run") (param $n i32)
    local.get $n call $one
    local.get $n call $three
    call $waits
    i32.const 400 local.get $n call $deep))
