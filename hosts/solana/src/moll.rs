use {
    crate::{events, END, START},
    mollusk_svm::{EmptyInvocationInspectCallback, InvocationInspectCallback, Mollusk},
    solana_program_runtime::invoke_context::InvokeContext,
    solana_pubkey::Pubkey,
    solana_svm_log_collector::LogCollector,
    solana_transaction_context::instruction_accounts::InstructionAccount,
    std::cell::Cell,
};

/// Give programs that are added from now on the two syscalls, and keep an account of every
/// instruction. Without a logger it is given one without a limit; another callback goes on being
/// called.
pub fn mollusk(mollusk: &mut Mollusk) {
    let environment = &mut mollusk.program_cache.program_runtime_environment;
    for (name, syscall) in
        [(START, events::SectionStart::vm as _), (END, events::SectionEnd::vm as _)]
    {
        environment.register_function(name, syscall).expect("nobody else has these syscalls");
    }
    mollusk.logger.get_or_insert_with(|| LogCollector::new_ref_with_limit(None));
    let none = Box::new(EmptyInvocationInspectCallback);
    let next = std::mem::replace(&mut mollusk.invocation_inspect_callback, none);
    mollusk.invocation_inspect_callback = Box::new(Callback { next, log_start: Cell::new(0) });
}

struct Callback {
    next: Box<dyn InvocationInspectCallback>,
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
        let lines =
            mollusk.logger.as_ref().map_or(0, |log| log.borrow().get_recorded_content().len());
        self.log_start.set(lines);
        events::begin(lines);
        self.next.before_invocation(mollusk, program_id, data, accounts, context, traces);
    }

    fn after_invocation(&self, mollusk: &Mollusk, context: &InvokeContext, traces: bool) {
        if let Some(log) = &mollusk.logger {
            crate::ended(&log.borrow().get_recorded_content()[self.log_start.get()..]);
        }
        self.next.after_invocation(mollusk, context, traces);
    }
}
