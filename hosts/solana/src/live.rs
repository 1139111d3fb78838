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
    std::{
        cell::{Cell, RefCell},
        fmt::Display,
    },
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
    number: u64,
    recorder: Option<Recorder>, // None when it has been returned
    labels: String,
    open: Vec<Open>,
    ended: Vec<Invocation>,
    ends: Vec<usize>, // for each of them, the line of the log before which it ended
    keeps_traces: bool,
    before: u64,
    left: u64,    // remaining units at the last event
    charged: u64, // to outermost invocations
}

thread_local! {
    /// A built-in program may run a machine of its own: then its transaction is the last one.
    static RUNNING: RefCell<Vec<Transaction>> = const { RefCell::new(Vec::new()) };
    /// How many functions of the runtime are running that have a function of ours around them.
    static INSIDE: Cell<usize> = const { Cell::new(0) };
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// There is one while a function of the runtime is running, also if it panics.
pub(crate) struct Inside;

impl Inside {
    pub(crate) fn enter() -> Inside {
        INSIDE.set(INSIDE.get() + 1);
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}

/// It has not come to its end if the runtime has panicked, or its thread has ended.
impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(mut recorder) = self.recorder.take() else { return };
        while self.open.pop().is_some() {
            recorder.pop(true, None, self.left);
            recorder.note(c"invocations that were not finished: the runtime panicked", 1);
        }
        recorded::lock().check_in(recorder, std::mem::take(&mut self.labels));
    }
}

/// A transaction begins, or an instruction of a harness that has no transactions. `keeps_traces`:
/// somebody else wants to read the traces of registers when it ends. `unseen` programs were not loaded
/// again.
pub(crate) fn begin(
    context: &InvokeContext,
    signature: Option<&dyn Display>,
    keeps_traces: bool,
    unseen: usize,
) {
    if INSIDE.get() == 0 {
        drop(RUNNING.take()); // what has not come to its end
    }
    NUMBER.set(NUMBER.get() + 1);
    let (mut recorder, labels) = recorded::lock().check_out(signature);
    let text = c"programs that could not be loaded again, so that their functions are not seen \
                 (counted in each transaction)";
    recorder.note(text, unseen as u64);
    recorder.costs(*context.get_execution_cost());
    let left = context.get_remaining();
    let transaction = Transaction {
        number: NUMBER.get(),
        recorder: Some(recorder),
        labels,
        open: Vec::new(),
        ended: Vec::new(),
        ends: Vec::new(),
        keeps_traces,
        before: left,
        left,
        charged: 0,
    };
    RUNNING.with_borrow_mut(|running| running.push(transaction));
}

/// The transaction has ended. Insert the lines of its sections into its log.
pub(crate) fn end(context: &InvokeContext) -> Vec<Invocation> {
    let Some(mut transaction) = RUNNING.with_borrow_mut(Vec::pop) else { return Vec::new() };
    let Some(recorder) = &mut transaction.recorder else { return Vec::new() };
    let all = transaction.before.saturating_sub(context.get_remaining());
    let text = c"compute units of transactions that are in no invocation";
    recorder.note(text, all.saturating_sub(transaction.charged));
    if let Some(log) = context.get_log_collector() {
        let ended = transaction.ended.iter().zip(&transaction.ends);
        let lines = ended.map(|(one, end)| (*end, &one.log[..])).collect::<Vec<_>>();
        let missing = log::insert(&mut log.borrow_mut(), &lines);
        let text = c"lines of sections that had no room in the transaction's log";
        recorder.note(text, missing as u64);
    }
    std::mem::take(&mut transaction.ended)
}

/// A wrapped function of the runtime is called. Returns the transaction that records it.
pub(crate) fn before(wrapped: &Wrapped, vm: &mut EbpfVm<Context>) -> Option<u64> {
    RUNNING.with_borrow_mut(|running| {
        let transaction = running.last_mut()?;
        let is_recorded = match wrapped.kind {
            Kind::Invocation => transaction.enter(vm.context()),
            kind => {
                let now = transaction.run(vm);
                if kind == Kind::Syscall {
                    transaction.recorder().syscall(wrapped.number, &wrapped.name, now);
                }
                kind == Kind::Syscall
            }
        };
        is_recorded.then_some(transaction.number)
    })
}

/// It has returned. Transactions inside of it that have not come to their end are abandoned.
pub(crate) fn after(wrapped: &Wrapped, vm: &mut EbpfVm<Context>, number: u64) {
    let has_failed = matches!(vm.program_result, ProgramResult::Err(_));
    let abandoned = RUNNING.with_borrow_mut(|running| {
        let inside = running.iter().position(|one| one.number == number).map(|at| at + 1);
        running.split_off(inside.unwrap_or(running.len()))
    });
    drop(abandoned);
    RUNNING.with_borrow_mut(|running| {
        let Some(transaction) = running.last_mut().filter(|one| one.number == number) else {
            return;
        };
        if wrapped.kind == Kind::Invocation {
            transaction.leave(vm.context(), has_failed);
        } else {
            transaction.left = vm.context().get_remaining();
            let left = transaction.left;
            transaction.recorder().syscall_end(left);
        }
    })
}

/// A syscall of sections.
pub(crate) fn section(call: &Call, now: u64) {
    RUNNING.with_borrow_mut(|running| {
        let Some(transaction) = running.last_mut() else { return };
        transaction.left = now;
        transaction.recorder().section(call, now);
        let lines = transaction.recorder().take_lines();
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
    fn recorder(&mut self) -> &mut Recorder {
        self.recorder.as_mut().expect("the transaction has not ended")
    }

    /// An invocation begins. False: it is not recorded.
    fn enter(&mut self, context: &mut Context) -> bool {
        let instruction = context.transaction_context.get_current_instruction_context();
        let Ok(instruction) = instruction else { return false };
        let Ok(key) = instruction.get_program_key() else { return false };
        let address = key.to_string();
        let entry = context.program_cache_for_tx_batch.find(key);
        let (program, heap) = match entry.as_ref().map(|entry| (entry, &entry.program)) {
            Some((entry, ProgramCacheEntryType::Loaded(executable))) => {
                (self.recorder().code(entry, &address, executable), heap_units(context))
            }
            _ => (self.recorder().program(&address, None), 0),
        };
        self.left = context.get_remaining();
        let left = self.left;
        if !self.recorder().push(program, instruction.get_instruction_data(), heap, left) {
            return false;
        }
        self.open.push(Open {
            program: address,
            index: instruction.get_index_in_trace(),
            before: left,
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
        self.left = now;
        let Some(open) = self.open.last_mut() else { return now };
        let first = open.rows.min(vm.register_trace.len());
        if self.keeps_traces {
            open.rows = vm.register_trace.len();
        }
        self.recorder().run(&vm.register_trace[first..], now);
        if !self.keeps_traces {
            vm.register_trace.clear(); // a trace takes no more memory than between two system calls
        }
        now
    }

    /// Record what it has run after its last system call. The runtime has stored that, unless the
    /// program has just closed or replaced itself.
    fn run_rest(&mut self, context: &Context, now: u64) {
        let Some(open) = self.open.last() else { return };
        let (index, rows) = (open.index, open.rows);
        let recorder = RefCell::new(self.recorder());
        context.iterate_vm_traces(&|instruction, _, trace| {
            if instruction.get_index_in_trace() == index {
                recorder.borrow_mut().run(&trace[rows.min(trace.len())..], now);
            }
        });
    }

    /// The innermost invocation ends.
    fn leave(&mut self, context: &mut Context, failed: bool) {
        let now = context.get_remaining();
        self.left = now;
        self.run_rest(context, now);
        let Some(open) = self.open.pop() else { return };
        let log = context.get_log_collector();
        let instruction =
            log.as_ref().and_then(|log| instruction_of(&log.borrow(), open.first_line));
        let ended = self.recorder().pop(failed, instruction.as_deref(), now);
        let mut lines = open.log;
        lines.extend(self.recorder().take_lines());
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
