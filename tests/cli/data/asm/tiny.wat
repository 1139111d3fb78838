(module
  (memory 1)
  (data (i32.const 16) "\03\00\00\00")
  (func $twice (param i32) (result i32)
    local.get 0
    local.get 0
    i32.add)
  (func $run (export "run") (param i32) (result i32) (local i32)
    loop
      local.get 1
      i32.const 8
      i32.load offset=8
      call $twice
      i32.add
      local.set 1
      local.get 0
      i32.const 1
      i32.sub
      local.tee 0
      br_if 0
    end
    local.get 0
    if
      f64.const 1.5
      drop
    end
    local.get 1))
