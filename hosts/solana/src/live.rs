//! The transaction that runs on this thread, and what happens in it.

use {
    crate::{
        log,
        record::{Call, Recorder},
        recorded,
        wrap::{Context, Kind, Wrapped},
        Invocation,
    },
    solana_program_runtime::{
        invoke_context::InvokeContext,
        program_cache_entry::ProgramCacheEntryType,
        solana_sbpf::{
            error::ProgramResult,
            vm::{ContextObject, EbpfVm},
        },
    },
    solana_svm_log_collector::LogCollector,
    std::{cell::RefCell, fmt::Display},
};

/// An invocation that has not ended.
struct Open {
    program: String,
    index: usize,      // in the transaction's instructions
    before: u64,       // remaining units
    first_line: usize, // of the log
    log: Vec<String>,
    rows: usize, // of its trace of registers, how many were recorded
}

struct Transaction {
    recorder: Recorder,
    labels: String,
    open: Vec<Open>,
    ended: Vec<Invocation>,
    ends: Vec<usize>, // for each of them, the line of the log before which it ended
    keeps_traces: bool,
    before: u64,
    charged: u64, // to outermost invocations
}

thread_local! {
    static RUNNING: RefCell<Option<Transaction>> = const { RefCell::new(None) };
}

/// A transaction begins, or an instruction of a harness that has no transactions. `keeps_traces`:
/// somebody else wants to read the traces of registers when it ends.
pub(crate) fn begin(context: &InvokeContext, signature: Option<&dyn Display>, keeps_traces: bool) {
    if let Some(unfinished) = RUNNING.take() {
        abandon(unfinished);
    }
    let (recorder, labels) = recorded::lock().check_out(signature);
    RUNNING.set(Some(Transaction {
        recorder,
        labels,
        open: Vec::new(),
        ended: Vec::new(),
        ends: Vec::new(),
        keeps_traces,
        before: context.get_remaining(),
        charged: 0,
    }));
}

/// The transaction that ran before on this thread has not come to its end: a built-in program has
/// panicked.
fn abandon(mut transaction: Transaction) {
    while let Some(open) = transaction.open.pop() {
        transaction.recorder.pop(true, None, open.before);
        transaction.recorder.note(c"invocations that were not finished: the runtime panicked", 1);
    }
    recorded::lock().check_in(transaction.recorder, transaction.labels);
}

/// The transaction has ended. Insert the lines of its sections into its log.
pub(crate) fn end(context: &InvokeContext) -> Vec<Invocation> {
    let Some(mut transaction) = RUNNING.take() else { return Vec::new() };
    let all = transaction.before.saturating_sub(context.get_remaining());
    let text = c"compute units of transactions that are in no invocation";
    transaction.recorder.note(text, all.saturating_sub(transaction.charged));
    if let Some(log) = context.get_log_collector() {
        let ended = transaction.ended.iter().zip(&transaction.ends);
        let lines = ended.map(|(one, end)| (*end, &one.log[..])).collect::<Vec<_>>();
        let missing = log::insert(&mut log.borrow_mut(), &lines);
        let text = c"lines of sections that had no room in the transaction's log";
        transaction.recorder.note(text, missing as u64);
    }
    recorded::lock().check_in(transaction.recorder, transaction.labels);
    transaction.ended
}

/// A wrapped function of the runtime is called. False: nothing is recorded.
pub(crate) fn before(wrapped: &Wrapped, vm: &mut EbpfVm<Context>) -> bool {
    RUNNING.with_borrow_mut(|running| match (running, wrapped.kind) {
        (None, _) => false,
        (Some(transaction), Kind::Invocation) => transaction.enter(vm.context()),
        (Some(transaction), kind) => {
            let now = transaction.run(vm);
            if kind == Kind::Syscall {
                transaction.recorder.syscall(wrapped.number, &wrapped.name, now);
            }
            kind == Kind::Syscall
        }
    })
}

/// It has returned.
pub(crate) fn after(wrapped: &Wrapped, vm: &mut EbpfVm<Context>) {
    let has_failed = matches!(vm.program_result, ProgramResult::Err(_));
    RUNNING.with_borrow_mut(|running| match (running, wrapped.kind) {
        (None, _) => {}
        (Some(transaction), Kind::Invocation) => transaction.leave(vm.context(), has_failed),
        (Some(transaction), _) => {
            let now = vm.context().get_remaining();
            transaction.recorder.syscall_end(now);
        }
    })
}

/// A syscall of sections.
pub(crate) fn section(call: &Call, now: u64) {
    RUNNING.with_borrow_mut(|running| {
        let Some(transaction) = running else { return };
        transaction.recorder.section(call, now);
        let lines = transaction.recorder.take_lines();
        if let Some(open) = transaction.open.last_mut() {
            open.log.extend(lines);
        }
    })
}

fn lines_of(context: &InvokeContext) -> usize {
    context.get_log_collector().map_or(0, |log| log.borrow().get_recorded_content().len())
}

/// What the runtime charges for the heap of a program before it runs: for each 32 KiB but the first.
fn heap_units(context: &InvokeContext) -> u64 {
    const PAGE: u64 = 32 * 1024;
    let size = u64::from(context.get_compute_budget().heap_size);
    size.div_ceil(PAGE).saturating_sub(1) * context.get_execution_cost().heap_cost
}

/// The name of its instruction, if the first thing that it logs is `Instruction: NAME`.
fn instruction_of(log: &LogCollector, first_line: usize) -> Option<String> {
    let line = log.get_recorded_content().get(first_line)?;
    let name = line.strip_prefix("Program log: Instruction: ")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    Some(name.split(|c| !is_word(c)).next()?.to_string()).filter(|name| !name.is_empty())
}

impl Transaction {
    /// An invocation begins.
    fn enter(&mut self, context: &mut Context) -> bool {
        let instruction = context.transaction_context.get_current_instruction_context();
        let Ok(instruction) = instruction else { return false };
        let Ok(key) = instruction.get_program_key() else { return false };
        let address = key.to_string();
        let entry = context.program_cache_for_tx_batch.find(key);
        let (program, heap) = match entry.as_ref().map(|entry| &entry.program) {
            Some(ProgramCacheEntryType::Loaded(executable))
                if executable.get_config().enable_register_tracing =>
            {
                let (_, text) = executable.get_text_bytes();
                let entry = entry.as_ref().expect("it is there");
                (self.recorder.code(entry, &address, text), heap_units(context))
            }
            _ => (self.recorder.program(&address, None), 0),
        };
        let before = context.get_remaining();
        self.recorder.push(program, instruction.get_instruction_data(), heap, before);
        self.open.push(Open {
            program: address,
            index: instruction.get_index_in_trace(),
            before,
            first_line: lines_of(context),
            log: Vec::new(),
            rows: 0,
        });
        true
    }

    /// Record what the innermost invocation has run, up to a system call. Returns the remaining
    /// units.
    fn run(&mut self, vm: &mut EbpfVm<Context>) -> u64 {
        let used = vm.previous_instruction_meter.saturating_sub(vm.due_insn_count);
        let now = vm.context().get_remaining().saturating_sub(used);
        let Some(open) = self.open.last_mut() else { return now };
        self.recorder.run(&vm.register_trace[open.rows.min(vm.register_trace.len())..], now);
        if self.keeps_traces {
            open.rows = vm.register_trace.len();
        } else {
            vm.register_trace.clear(); // so that a trace takes no more memory than it has between two
        }
        now
    }

    /// Record what it has run after its last system call. The runtime has stored that.
    fn run_rest(&mut self, context: &Context, now: u64) {
        let Some(open) = self.open.last() else { return };
        let recorder = RefCell::new(&mut self.recorder);
        context.iterate_vm_traces(&|instruction, _, trace| {
            if instruction.get_index_in_trace() == open.index {
                recorder.borrow_mut().run(&trace[open.rows.min(trace.len())..], now);
            }
        });
    }

    /// The innermost invocation ends.
    fn leave(&mut self, context: &mut Context, failed: bool) {
        let now = context.get_remaining();
        self.run_rest(context, now);
        let Some(open) = self.open.pop() else { return };
        let log = context.get_log_collector();
        let instruction =
            log.as_ref().and_then(|log| instruction_of(&log.borrow(), open.first_line));
        let ended = self.recorder.pop(failed, instruction.as_deref(), now);
        let mut lines = open.log;
        lines.extend(self.recorder.take_lines());
        let consumed = open.before.saturating_sub(now);
        if self.open.is_empty() {
            self.charged += consumed;
        }
        self.ends.push(lines_of(context));
        self.ended.push(Invocation {
            program: open.program,
            depth: self.open.len() + 1,
            failed,
            consumed,
            sections: ended.sections,
            left_open: ended.left_open,
            log: lines,
        });
    }
}
