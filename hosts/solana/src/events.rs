//! The two syscalls. Their calls are stored until the transaction ends, since only its log says how
//! many units each invocation had at its begin.

use {
    crate::ID_LIMIT,
    solana_program_runtime::{
        invoke_context::InvokeContext,
        memory::translate_slice,
        solana_sbpf::{program::BuiltinFunctionDefinition, vm::ContextObject},
    },
    std::{
        cell::{Cell, RefCell},
        collections::HashSet,
        error::Error,
        rc::Rc,
    },
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Start,
    End,
}

pub(crate) struct Event {
    pub kind: Kind,
    /// The number of lines in the transaction's log at that moment.
    pub log_lines: usize,
    pub id: Rc<[u8]>,
    /// The size that the program has passed; ids longer than the limit are not read.
    pub id_size: u64,
    pub heap_value: u64,
    pub tracks_heap: u64,
    pub remaining_units: u64,
}

thread_local! {
    static EVENTS: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
    /// The ids of these events, each once, since programs use few ids many times.
    static IDS: RefCell<HashSet<Rc<[u8]>>> = RefCell::new(HashSet::new());
    /// The number of lines in the log when the transaction began.
    static LOG_START: Cell<usize> = const { Cell::new(0) };
    /// The remaining units at that moment.
    static UNITS: Cell<u64> = const { Cell::new(0) };
}

/// A transaction begins. Forget the events of an earlier one that has not reached its end.
pub(crate) fn begin(log_lines: usize, units: u64) {
    EVENTS.take();
    IDS.take();
    LOG_START.set(log_lines);
    UNITS.set(units);
}

/// The transaction has ended: its events, and the remaining units at its begin.
pub(crate) fn take() -> (Vec<Event>, u64) {
    (EVENTS.take(), UNITS.get())
}

type Outcome = Result<u64, Box<dyn Error>>;

fn keep(id: &[u8]) -> Rc<[u8]> {
    IDS.with_borrow_mut(|ids| match ids.get(id) {
        Some(known) => known.clone(),
        None => {
            let new = Rc::from(id);
            ids.insert(Rc::clone(&new));
            new
        }
    })
}

/// Bytes of the program's memory, or the access violation that ends the program.
fn read(context: &InvokeContext, address: u64, size: u64) -> Result<Rc<[u8]>, Box<dyn Error>> {
    if size == 0 || size > ID_LIMIT {
        return Ok(keep(&[]));
    }
    let memory = context.memory_contexts.memory_mapping()?;
    Ok(keep(translate_slice::<u8>(memory, address, size, context.get_check_aligned())?))
}

fn record(kind: Kind, context: &InvokeContext, args: [u64; 4]) -> Outcome {
    let [address, size, heap_value, tracks_heap] = args;
    let log = context.get_log_collector();
    let log_lines = log.map_or(0, |log| log.borrow().get_recorded_content().len());
    let event = Event {
        kind,
        log_lines: log_lines.saturating_sub(LOG_START.get()),
        id: read(context, address, size)?,
        id_size: size,
        heap_value,
        tracks_heap,
        remaining_units: context.get_remaining(),
    };
    EVENTS.with_borrow_mut(|events| events.push(event));
    Ok(0)
}

/// Defines one of the two syscalls. They only differ in the kind that they record.
macro_rules! section_syscall {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
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
                record($kind, context, [id_addr, id_len, heap_value, tracks_heap])
            }
        }
    };
}

section_syscall!(
    /// sol_log_compute_units_start(id_addr, id_len, heap_value, tracks_heap): costs nothing.
    SectionStart,
    Kind::Start
);
section_syscall!(
    /// sol_log_compute_units_end(id_addr, id_len, heap_value, tracks_heap): costs nothing.
    SectionEnd,
    Kind::End
);
