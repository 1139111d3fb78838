use {
    crate::{events, END, START},
    mollusk_svm::{EmptyInvocationInspectCallback, InvocationInspectCallback, Mollusk},
    solana_program_runtime::invoke_context::InvokeContext,
    solana_pubkey::Pubkey,
    solana_sbpf::vm::ContextObject,
    solana_svm_log_collector::LogCollector,
    solana_transaction_context::instruction_accounts::InstructionAccount,
    std::{cell::Cell, rc::Rc},
};

/// Give programs that are added from now on the two syscalls, and record every instruction. A machine
/// without a logger is given one, which is emptied before each instruction; a logger of yours should
/// have no limit ([`LogCollector::new_ref_with_limit`]), since the record ends with the log. A callback
/// that is set already is still called. A second call changes nothing.
pub fn mollusk(mollusk: &mut Mollusk) {
    let environment = &mut mollusk.program_cache.program_runtime_environment;
    if environment.get_function_registry().lookup_by_name(START.as_bytes()).is_some() {
        return;
    }
    for (name, syscall) in
        [(START, events::SectionStart::vm as _), (END, events::SectionEnd::vm as _)]
    {
        environment.register_function(name, syscall).expect("the syscalls are new");
    }
    let own_logger = mollusk.logger.is_none();
    mollusk.logger.get_or_insert_with(|| LogCollector::new_ref_with_limit(None));
    let none = Box::new(EmptyInvocationInspectCallback);
    let next = std::mem::replace(&mut mollusk.invocation_inspect_callback, none);
    mollusk.invocation_inspect_callback =
        Box::new(Callback { next, own_logger, log_start: Cell::new(0) });
}

fn without_limit() -> LogCollector {
    let new = LogCollector::new_ref_with_limit(None);
    Rc::into_inner(new).expect("there is one reference").into_inner()
}

struct Callback {
    next: Box<dyn InvocationInspectCallback>,
    own_logger: bool,
    log_start: Cell<usize>, // of the instruction, in lines
}

impl InvocationInspectCallback for Callback {
    fn before_invocation(
        &self,
        mollusk: &Mollusk,
        program_id: &Pubkey,
        data: &[u8],
        accounts: &[InstructionAccount],
        context: &mut InvokeContext,
        traces: bool,
    ) {
        let mut lines = 0;
        if let Some(log) = &mollusk.logger {
            let mut log = log.borrow_mut();
            if self.own_logger {
                *log = without_limit();
            }
            lines = log.get_recorded_content().len();
        }
        self.log_start.set(lines);
        events::begin(lines, context.get_remaining());
        self.next.before_invocation(mollusk, program_id, data, accounts, context, traces);
    }

    fn after_invocation(&self, mollusk: &Mollusk, context: &InvokeContext, traces: bool) {
        if let Some(log) = &mollusk.logger {
            crate::ended(
                &log.borrow().get_recorded_content()[self.log_start.get()..],
                context.get_remaining(),
            );
        }
        self.next.after_invocation(mollusk, context, traces);
    }
}
