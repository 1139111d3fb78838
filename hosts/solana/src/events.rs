//! The two syscalls of sections.

use {
    crate::{live, record::Call, ID_LIMIT},
    solana_program_runtime::{
        invoke_context::InvokeContext,
        memory::translate_slice,
        solana_sbpf::{program::BuiltinFunctionDefinition, vm::ContextObject},
    },
    std::error::Error,
};

type Outcome = Result<u64, Box<dyn Error>>;

/// Bytes of the program's memory, or the access violation that ends the program.
fn read<'a>(
    context: &'a InvokeContext,
    address: u64,
    size: u64,
) -> Result<&'a [u8], Box<dyn Error>> {
    if size == 0 || size > ID_LIMIT {
        return Ok(&[]);
    }
    let memory = context.memory_contexts.memory_mapping()?;
    Ok(translate_slice::<u8>(memory, address, size, context.get_check_aligned())?)
}

fn record(is_end: bool, context: &InvokeContext, args: [u64; 4]) -> Outcome {
    let [address, id_size, heap_value, tracks_heap] = args;
    let id = read(context, address, id_size)?;
    live::section(&Call { is_end, id, id_size, heap_value, tracks_heap }, context.get_remaining());
    Ok(0)
}

/// Defines one of the two syscalls. They only differ in what they record.
macro_rules! section_syscall {
    ($(#[$doc:meta])* $name:ident, $is_end:expr) => {
        $(#[$doc])*
        pub struct $name;

        impl BuiltinFunctionDefinition<InvokeContext<'static, 'static>> for $name {
            type Error = Box<dyn Error>;

            fn rust(
                context: &mut InvokeContext<'static, 'static>,
                id_addr: u64,
                id_len: u64,
                heap_value: u64,
                tracks_heap: u64,
                _unused: u64,
            ) -> Outcome {
                record($is_end, context, [id_addr, id_len, heap_value, tracks_heap])
            }
        }
    };
}

section_syscall!(
    /// sol_log_compute_units_start(id_addr, id_len, heap_value, tracks_heap): costs nothing.
    SectionStart,
    false
);
section_syscall!(
    /// sol_log_compute_units_end(id_addr, id_len, heap_value, tracks_heap): costs nothing.
    SectionEnd,
    true
);
