//! Sets up wasmtime for these tests.

use wasmtime::{Config, Engine, OperatorCost, OptLevel, VariableOperatorCost};

/// All that this version of the engine can do. Code is run once: it is not worth optimising. The bits
/// of a NaN are the same whatever the code around.
pub fn config() -> Config {
    let mut config = Config::new();
    config
        .cranelift_opt_level(OptLevel::None)
        .cranelift_nan_canonicalization(true)
        .wasm_function_references(true)
        .wasm_gc(true)
        .wasm_exceptions(true)
        .wasm_tail_call(true)
        .wasm_relaxed_simd(true)
        .wasm_multi_memory(true)
        .wasm_memory64(true)
        .wasm_wide_arithmetic(true)
        .wasm_custom_page_sizes(true)
        .wasm_extended_const(true)
        .wasm_threads(true)
        .shared_memory(true);
    config
}

pub fn plain() -> Engine {
    Engine::new(&config()).expect("an engine")
}

/// An engine that counts fuel; `bulk`: also for each byte and element of bulk instructions.
pub fn fuelled(bulk: bool) -> Engine {
    let mut config = config();
    config.consume_fuel(true);
    if !bulk {
        config.operator_cost(OperatorCost { variable: no_bulk(), ..OperatorCost::new() });
    }
    Engine::new(&config).expect("an engine that counts fuel")
}

fn no_bulk() -> VariableOperatorCost {
    VariableOperatorCost {
        memory_copy_per_byte: 0,
        memory_fill_per_byte: 0,
        memory_init_per_byte: 0,
        memory_grow_per_page: 0,
        table_copy_per_element: 0,
        table_fill_per_element: 0,
        table_init_per_element: 0,
        table_grow_per_element: 0,
        array_copy_per_element: 0,
        array_fill_per_element: 0,
        array_new_data_per_element: 0,
        array_init_data_per_element: 0,
        array_new_elem_per_element: 0,
        array_init_elem_per_element: 0,
        array_new_default_per_element: 0,
        array_new_per_element: 0,
    }
}
