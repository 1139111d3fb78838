;; every.wat - every instruction of Toll's table; well-formed, not valid. What Debian's wabt 1.0.32
;; does not know is marked new. See run.sh.
(module
  (type $t (func))
  (type $s (struct (field (mut i32)) (field (mut i32)))) ;; new
  (type $a (array (mut i32))) ;; new
  (memory 1) (memory i64 1)
  (table 1 funcref) (table 1 funcref)
  (global i32 i32.const 0) (global (mut i32) i32.const 0)
  (tag) (tag)
  (data "") (data "") (elem func) (elem func)
  (func) (func)
  (func $f (local i32 i64)
    (local (ref null $s)) ;; new
    unreachable
    nop
    block (type $t)
    end
    block (result (ref null $s)) ;; new
    end ;; new
    block
    end
    loop (result i32)
    end
    if
    else
    end
    try
    catch 1
    catch_all
    end
    try
    delegate 0
    throw 1
    rethrow 0
    throw_ref ;; new
    br 0
    br_if 0
    br_table 0 1 0
    return
    call $f
    call_indirect 1 (type 0)
    return_call $f
    return_call_indirect 1 (type 0)
    call_ref $t ;; new
    return_call_ref $t ;; new
    drop
    select
    select (result i32)
    select (result (ref null $s)) ;; new
    try_table (result i32) (catch 1 0) (catch_ref 0 0) (catch_all 0) (catch_all_ref 0) ;; new
    end ;; new
    local.get 1
    local.set 1
    local.tee 1
    global.get 1
    global.set 1
    table.get 1
    table.set 1
    i32.load offset=70000
    i32.load 1 offset=0x1234567890 ;; new
    i64.load offset=70000
    i64.load 1 offset=0x1234567890 ;; new
    f32.load offset=70000
    f32.load 1 offset=0x1234567890 ;; new
    f64.load offset=70000
    f64.load 1 offset=0x1234567890 ;; new
    i32.load8_s offset=70000
    i32.load8_s 1 offset=0x1234567890 ;; new
    i32.load8_u offset=70000
    i32.load8_u 1 offset=0x1234567890 ;; new
    i32.load16_s offset=70000
    i32.load16_s 1 offset=0x1234567890 ;; new
    i32.load16_u offset=70000
    i32.load16_u 1 offset=0x1234567890 ;; new
    i64.load8_s offset=70000
    i64.load8_s 1 offset=0x1234567890 ;; new
    i64.load8_u offset=70000
    i64.load8_u 1 offset=0x1234567890 ;; new
    i64.load16_s offset=70000
    i64.load16_s 1 offset=0x1234567890 ;; new
    i64.load16_u offset=70000
    i64.load16_u 1 offset=0x1234567890 ;; new
    i64.load32_s offset=70000
    i64.load32_s 1 offset=0x1234567890 ;; new
    i64.load32_u offset=70000
    i64.load32_u 1 offset=0x1234567890 ;; new
    i32.store offset=70000
    i32.store 1 offset=0x1234567890 ;; new
    i64.store offset=70000
    i64.store 1 offset=0x1234567890 ;; new
    f32.store offset=70000
    f32.store 1 offset=0x1234567890 ;; new
    f64.store offset=70000
    f64.store 1 offset=0x1234567890 ;; new
    i32.store8 offset=70000
    i32.store8 1 offset=0x1234567890 ;; new
    i32.store16 offset=70000
    i32.store16 1 offset=0x1234567890 ;; new
    i64.store8 offset=70000
    i64.store8 1 offset=0x1234567890 ;; new
    i64.store16 offset=70000
    i64.store16 1 offset=0x1234567890 ;; new
    i64.store32 offset=70000
    i64.store32 1 offset=0x1234567890 ;; new
    memory.size 1
    memory.grow 1
    i32.const -1
    i32.const -2147483648
    i64.const -9223372036854775808
    f32.const 0x1.8p3
    f64.const -0x1.8p3
    i32.eqz
    i32.eq
    i32.ne
    i32.lt_s
    i32.lt_u
    i32.gt_s
    i32.gt_u
    i32.le_s
    i32.le_u
    i32.ge_s
    i32.ge_u
    i64.eqz
    i64.eq
    i64.ne
    i64.lt_s
    i64.lt_u
    i64.gt_s
    i64.gt_u
    i64.le_s
    i64.le_u
    i64.ge_s
    i64.ge_u
    f32.eq
    f32.ne
    f32.lt
    f32.gt
    f32.le
    f32.ge
    f64.eq
    f64.ne
    f64.lt
    f64.gt
    f64.le
    f64.ge
    i32.clz
    i32.ctz
    i32.popcnt
    i32.add
    i32.sub
    i32.mul
    i32.div_s
    i32.div_u
    i32.rem_s
    i32.rem_u
    i32.and
    i32.or
    i32.xor
    i32.shl
    i32.shr_s
    i32.shr_u
    i32.rotl
    i32.rotr
    i64.clz
    i64.ctz
    i64.popcnt
    i64.add
    i64.sub
    i64.mul
    i64.div_s
    i64.div_u
    i64.rem_s
    i64.rem_u
    i64.and
    i64.or
    i64.xor
    i64.shl
    i64.shr_s
    i64.shr_u
    i64.rotl
    i64.rotr
    f32.abs
    f32.neg
    f32.ceil
    f32.floor
    f32.trunc
    f32.nearest
    f32.sqrt
    f32.add
    f32.sub
    f32.mul
    f32.div
    f32.min
    f32.max
    f32.copysign
    f64.abs
    f64.neg
    f64.ceil
    f64.floor
    f64.trunc
    f64.nearest
    f64.sqrt
    f64.add
    f64.sub
    f64.mul
    f64.div
    f64.min
    f64.max
    f64.copysign
    i32.wrap_i64
    i32.trunc_f32_s
    i32.trunc_f32_u
    i32.trunc_f64_s
    i32.trunc_f64_u
    i64.extend_i32_s
    i64.extend_i32_u
    i64.trunc_f32_s
    i64.trunc_f32_u
    i64.trunc_f64_s
    i64.trunc_f64_u
    f32.convert_i32_s
    f32.convert_i32_u
    f32.convert_i64_s
    f32.convert_i64_u
    f32.demote_f64
    f64.convert_i32_s
    f64.convert_i32_u
    f64.convert_i64_s
    f64.convert_i64_u
    f64.promote_f32
    i32.reinterpret_f32
    i64.reinterpret_f64
    f32.reinterpret_i32
    f64.reinterpret_i64
    i32.extend8_s
    i32.extend16_s
    i64.extend8_s
    i64.extend16_s
    i64.extend32_s
    ref.null func
    ref.null $s ;; new
    ref.null any ;; new
    ref.is_null
    ref.func $f
    ref.eq ;; new
    ref.as_non_null ;; new
    br_on_null 0 ;; new
    br_on_non_null 0 ;; new
    struct.new 1 ;; new
    struct.new_default 1 ;; new
    struct.get 1 1 ;; new
    struct.get_s 1 1 ;; new
    struct.get_u 1 1 ;; new
    struct.set 1 1 ;; new
    array.new 2 ;; new
    array.new_default 2 ;; new
    array.new_fixed 2 3 ;; new
    array.new_data 2 1 ;; new
    array.new_elem 2 1 ;; new
    array.get 2 ;; new
    array.get_s 2 ;; new
    array.get_u 2 ;; new
    array.set 2 ;; new
    array.len ;; new
    array.fill 2 ;; new
    array.copy 2 2 ;; new
    array.init_data 2 1 ;; new
    array.init_elem 2 1 ;; new
    ref.test (ref i31) ;; new
    ref.test (ref null $s) ;; new
    ref.cast (ref i31) ;; new
    ref.cast (ref null $s) ;; new
    br_on_cast 0 anyref (ref $s) ;; new
    br_on_cast_fail 0 anyref (ref $s) ;; new
    any.convert_extern ;; new
    extern.convert_any ;; new
    ref.i31 ;; new
    i31.get_s ;; new
    i31.get_u ;; new
    i32.trunc_sat_f32_s
    i32.trunc_sat_f32_u
    i32.trunc_sat_f64_s
    i32.trunc_sat_f64_u
    i64.trunc_sat_f32_s
    i64.trunc_sat_f32_u
    i64.trunc_sat_f64_s
    i64.trunc_sat_f64_u
    memory.init 1 1
    data.drop 1
    memory.copy 1 0
    memory.fill 1
    table.init 1 1
    elem.drop 1
    table.copy 1 0
    table.grow 1
    table.size 1
    table.fill 1
    i64.add128 ;; new
    i64.sub128 ;; new
    i64.mul_wide_s ;; new
    i64.mul_wide_u ;; new
    v128.load offset=70000
    v128.load 1 offset=0x1234567890 ;; new
    v128.load8x8_s offset=70000
    v128.load8x8_s 1 offset=0x1234567890 ;; new
    v128.load8x8_u offset=70000
    v128.load8x8_u 1 offset=0x1234567890 ;; new
    v128.load16x4_s offset=70000
    v128.load16x4_s 1 offset=0x1234567890 ;; new
    v128.load16x4_u offset=70000
    v128.load16x4_u 1 offset=0x1234567890 ;; new
    v128.load32x2_s offset=70000
    v128.load32x2_s 1 offset=0x1234567890 ;; new
    v128.load32x2_u offset=70000
    v128.load32x2_u 1 offset=0x1234567890 ;; new
    v128.load8_splat offset=70000
    v128.load8_splat 1 offset=0x1234567890 ;; new
    v128.load16_splat offset=70000
    v128.load16_splat 1 offset=0x1234567890 ;; new
    v128.load32_splat offset=70000
    v128.load32_splat 1 offset=0x1234567890 ;; new
    v128.load64_splat offset=70000
    v128.load64_splat 1 offset=0x1234567890 ;; new
    v128.store offset=70000
    v128.store 1 offset=0x1234567890 ;; new
    v128.const i32x4 1 2 3 4
    i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    i8x16.swizzle
    i8x16.splat
    i16x8.splat
    i32x4.splat
    i64x2.splat
    f32x4.splat
    f64x2.splat
    i8x16.extract_lane_s 1
    i8x16.extract_lane_u 1
    i8x16.replace_lane 1
    i16x8.extract_lane_s 1
    i16x8.extract_lane_u 1
    i16x8.replace_lane 1
    i32x4.extract_lane 1
    i32x4.replace_lane 1
    i64x2.extract_lane 1
    i64x2.replace_lane 1
    f32x4.extract_lane 1
    f32x4.replace_lane 1
    f64x2.extract_lane 1
    f64x2.replace_lane 1
    i8x16.eq
    i8x16.ne
    i8x16.lt_s
    i8x16.lt_u
    i8x16.gt_s
    i8x16.gt_u
    i8x16.le_s
    i8x16.le_u
    i8x16.ge_s
    i8x16.ge_u
    i16x8.eq
    i16x8.ne
    i16x8.lt_s
    i16x8.lt_u
    i16x8.gt_s
    i16x8.gt_u
    i16x8.le_s
    i16x8.le_u
    i16x8.ge_s
    i16x8.ge_u
    i32x4.eq
    i32x4.ne
    i32x4.lt_s
    i32x4.lt_u
    i32x4.gt_s
    i32x4.gt_u
    i32x4.le_s
    i32x4.le_u
    i32x4.ge_s
    i32x4.ge_u
    f32x4.eq
    f32x4.ne
    f32x4.lt
    f32x4.gt
    f32x4.le
    f32x4.ge
    f64x2.eq
    f64x2.ne
    f64x2.lt
    f64x2.gt
    f64x2.le
    f64x2.ge
    v128.not
    v128.and
    v128.andnot
    v128.or
    v128.xor
    v128.bitselect
    v128.any_true
    v128.load8_lane offset=3 1
    v128.load16_lane offset=3 1
    v128.load32_lane offset=3 1
    v128.load64_lane offset=3 1
    v128.store8_lane offset=3 1
    v128.store16_lane offset=3 1
    v128.store32_lane offset=3 1
    v128.store64_lane offset=3 1
    v128.load32_zero offset=70000
    v128.load32_zero 1 offset=0x1234567890 ;; new
    v128.load64_zero offset=70000
    v128.load64_zero 1 offset=0x1234567890 ;; new
    f32x4.demote_f64x2_zero
    f64x2.promote_low_f32x4
    i8x16.abs
    i8x16.neg
    i8x16.popcnt
    i8x16.all_true
    i8x16.bitmask
    i8x16.narrow_i16x8_s
    i8x16.narrow_i16x8_u
    f32x4.ceil
    f32x4.floor
    f32x4.trunc
    f32x4.nearest
    i8x16.shl
    i8x16.shr_s
    i8x16.shr_u
    i8x16.add
    i8x16.add_sat_s
    i8x16.add_sat_u
    i8x16.sub
    i8x16.sub_sat_s
    i8x16.sub_sat_u
    f64x2.ceil
    f64x2.floor
    i8x16.min_s
    i8x16.min_u
    i8x16.max_s
    i8x16.max_u
    f64x2.trunc
    i8x16.avgr_u
    i16x8.extadd_pairwise_i8x16_s
    i16x8.extadd_pairwise_i8x16_u
    i32x4.extadd_pairwise_i16x8_s
    i32x4.extadd_pairwise_i16x8_u
    i16x8.abs
    i16x8.neg
    i16x8.q15mulr_sat_s
    i16x8.all_true
    i16x8.bitmask
    i16x8.narrow_i32x4_s
    i16x8.narrow_i32x4_u
    i16x8.extend_low_i8x16_s
    i16x8.extend_high_i8x16_s
    i16x8.extend_low_i8x16_u
    i16x8.extend_high_i8x16_u
    i16x8.shl
    i16x8.shr_s
    i16x8.shr_u
    i16x8.add
    i16x8.add_sat_s
    i16x8.add_sat_u
    i16x8.sub
    i16x8.sub_sat_s
    i16x8.sub_sat_u
    f64x2.nearest
    i16x8.mul
    i16x8.min_s
    i16x8.min_u
    i16x8.max_s
    i16x8.max_u
    i16x8.avgr_u
    i16x8.extmul_low_i8x16_s
    i16x8.extmul_high_i8x16_s
    i16x8.extmul_low_i8x16_u
    i16x8.extmul_high_i8x16_u
    i32x4.abs
    i32x4.neg
    i32x4.all_true
    i32x4.bitmask
    i32x4.extend_low_i16x8_s
    i32x4.extend_high_i16x8_s
    i32x4.extend_low_i16x8_u
    i32x4.extend_high_i16x8_u
    i32x4.shl
    i32x4.shr_s
    i32x4.shr_u
    i32x4.add
    i32x4.sub
    i32x4.mul
    i32x4.min_s
    i32x4.min_u
    i32x4.max_s
    i32x4.max_u
    i32x4.dot_i16x8_s
    i32x4.extmul_low_i16x8_s
    i32x4.extmul_high_i16x8_s
    i32x4.extmul_low_i16x8_u
    i32x4.extmul_high_i16x8_u
    i64x2.abs
    i64x2.neg
    i64x2.all_true
    i64x2.bitmask
    i64x2.extend_low_i32x4_s
    i64x2.extend_high_i32x4_s
    i64x2.extend_low_i32x4_u
    i64x2.extend_high_i32x4_u
    i64x2.shl
    i64x2.shr_s
    i64x2.shr_u
    i64x2.add
    i64x2.sub
    i64x2.mul
    i64x2.eq
    i64x2.ne
    i64x2.lt_s
    i64x2.gt_s
    i64x2.le_s
    i64x2.ge_s
    i64x2.extmul_low_i32x4_s
    i64x2.extmul_high_i32x4_s
    i64x2.extmul_low_i32x4_u
    i64x2.extmul_high_i32x4_u
    f32x4.abs
    f32x4.neg
    f32x4.sqrt
    f32x4.add
    f32x4.sub
    f32x4.mul
    f32x4.div
    f32x4.min
    f32x4.max
    f32x4.pmin
    f32x4.pmax
    f64x2.abs
    f64x2.neg
    f64x2.sqrt
    f64x2.add
    f64x2.sub
    f64x2.mul
    f64x2.div
    f64x2.min
    f64x2.max
    f64x2.pmin
    f64x2.pmax
    i32x4.trunc_sat_f32x4_s
    i32x4.trunc_sat_f32x4_u
    f32x4.convert_i32x4_s
    f32x4.convert_i32x4_u
    i32x4.trunc_sat_f64x2_s_zero
    i32x4.trunc_sat_f64x2_u_zero
    f64x2.convert_low_i32x4_s
    f64x2.convert_low_i32x4_u
    i8x16.relaxed_swizzle
    i32x4.relaxed_trunc_f32x4_s
    i32x4.relaxed_trunc_f32x4_u
    i32x4.relaxed_trunc_f64x2_s_zero
    i32x4.relaxed_trunc_f64x2_u_zero
    f32x4.relaxed_madd
    f32x4.relaxed_nmadd
    f64x2.relaxed_madd
    f64x2.relaxed_nmadd
    i8x16.relaxed_laneselect
    i16x8.relaxed_laneselect
    i32x4.relaxed_laneselect
    i64x2.relaxed_laneselect
    f32x4.relaxed_min
    f32x4.relaxed_max
    f64x2.relaxed_min
    f64x2.relaxed_max
    i16x8.relaxed_q15mulr_s
    i16x8.relaxed_dot_i8x16_i7x16_s ;; new
    i32x4.relaxed_dot_i8x16_i7x16_add_s ;; new
    memory.atomic.notify offset=300
    memory.atomic.wait32 offset=300
    memory.atomic.wait64 offset=300
    atomic.fence
    i32.atomic.load offset=300
    i64.atomic.load offset=300
    i32.atomic.load8_u offset=300
    i32.atomic.load16_u offset=300
    i64.atomic.load8_u offset=300
    i64.atomic.load16_u offset=300
    i64.atomic.load32_u offset=300
    i32.atomic.store offset=300
    i64.atomic.store offset=300
    i32.atomic.store8 offset=300
    i32.atomic.store16 offset=300
    i64.atomic.store8 offset=300
    i64.atomic.store16 offset=300
    i64.atomic.store32 offset=300
    i32.atomic.rmw.add offset=300
    i64.atomic.rmw.add offset=300
    i32.atomic.rmw8.add_u offset=300
    i32.atomic.rmw16.add_u offset=300
    i64.atomic.rmw8.add_u offset=300
    i64.atomic.rmw16.add_u offset=300
    i64.atomic.rmw32.add_u offset=300
    i32.atomic.rmw.sub offset=300
    i64.atomic.rmw.sub offset=300
    i32.atomic.rmw8.sub_u offset=300
    i32.atomic.rmw16.sub_u offset=300
    i64.atomic.rmw8.sub_u offset=300
    i64.atomic.rmw16.sub_u offset=300
    i64.atomic.rmw32.sub_u offset=300
    i32.atomic.rmw.and offset=300
    i64.atomic.rmw.and offset=300
    i32.atomic.rmw8.and_u offset=300
    i32.atomic.rmw16.and_u offset=300
    i64.atomic.rmw8.and_u offset=300
    i64.atomic.rmw16.and_u offset=300
    i64.atomic.rmw32.and_u offset=300
    i32.atomic.rmw.or offset=300
    i64.atomic.rmw.or offset=300
    i32.atomic.rmw8.or_u offset=300
    i32.atomic.rmw16.or_u offset=300
    i64.atomic.rmw8.or_u offset=300
    i64.atomic.rmw16.or_u offset=300
    i64.atomic.rmw32.or_u offset=300
    i32.atomic.rmw.xor offset=300
    i64.atomic.rmw.xor offset=300
    i32.atomic.rmw8.xor_u offset=300
    i32.atomic.rmw16.xor_u offset=300
    i64.atomic.rmw8.xor_u offset=300
    i64.atomic.rmw16.xor_u offset=300
    i64.atomic.rmw32.xor_u offset=300
    i32.atomic.rmw.xchg offset=300
    i64.atomic.rmw.xchg offset=300
    i32.atomic.rmw8.xchg_u offset=300
    i32.atomic.rmw16.xchg_u offset=300
    i64.atomic.rmw8.xchg_u offset=300
    i64.atomic.rmw16.xchg_u offset=300
    i64.atomic.rmw32.xchg_u offset=300
    i32.atomic.rmw.cmpxchg offset=300
    i64.atomic.rmw.cmpxchg offset=300
    i32.atomic.rmw8.cmpxchg_u offset=300
    i32.atomic.rmw16.cmpxchg_u offset=300
    i64.atomic.rmw8.cmpxchg_u offset=300
    i64.atomic.rmw16.cmpxchg_u offset=300
    i64.atomic.rmw32.cmpxchg_u offset=300
  )
)
