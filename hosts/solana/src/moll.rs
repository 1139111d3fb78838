//! Records every instruction on Mollusk, and gives its programs the two syscalls.

use {
    crate::{events, live, programs, wrap, END, START},
    mollusk_svm::{EmptyInvocationInspectCallback, InvocationInspectCallback, Mollusk},
    solana_program_runtime::{
        invoke_context::InvokeContext,
        solana_sbpf::{
            elf::ElfError,
            program::{BuiltinFunctionDefinition, BuiltinProgram},
        },
    },
    solana_pubkey::Pubkey,
    solana_svm_log_collector::LogCollector,
    solana_transaction_context::instruction_accounts::InstructionAccount,
    std::rc::Rc,
};

type Program = BuiltinProgram<InvokeContext<'static, 'static>>;

/// Record every instruction of a machine from now on, and give programs that are added from now on
/// the two syscalls of sections. Programs that it has already are loaded again when they first run,
/// so that their functions are seen. A machine without a logger gets one, which is emptied before
/// each instruction, for the lines of sections. A callback that is already set is still called. A
/// second call changes nothing.
pub fn mollusk(mollusk: &mut Mollusk) {
    let cache = &mut mollusk.program_cache;
    if cache.register_builtin_function(START, register_start).is_err() {
        return; // it has them
    }
    cache.register_builtin_function(END, register_last).expect("it is new, too");
    let own_logger = mollusk.logger.is_none();
    mollusk.logger.get_or_insert_with(|| LogCollector::new_ref_with_limit(None));
    let none = Box::new(EmptyInvocationInspectCallback);
    let next = std::mem::replace(&mut mollusk.invocation_inspect_callback, none);
    mollusk.invocation_inspect_callback = Box::new(Callback { next, own_logger });
}

/// Register the start syscall; fails if the machine already has it. The runtime itself would accept
/// the same function twice.
fn register_start(program: &mut Program, name: &str) -> Result<(), ElfError> {
    match program.get_function_registry().lookup_by_name(name.as_bytes()) {
        None => events::SectionStart::register(program, name),
        Some(_) => Err(ElfError::SymbolHashCollision(0)),
    }
}

fn register_last(program: &mut Program, name: &str) -> Result<(), ElfError> {
    events::SectionEnd::register(program, name)?;
    if crate::records_functions() {
        *program = wrap::environment(program);
    }
    Ok(())
}

fn without_limit() -> LogCollector {
    let new = LogCollector::new_ref_with_limit(None);
    Rc::into_inner(new).expect("there is one reference").into_inner()
}

struct Callback {
    next: Box<dyn InvocationInspectCallback>,
    own_logger: bool,
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
        if let Some(log) = mollusk.logger.as_ref().filter(|_| self.own_logger) {
            *log.borrow_mut() = without_limit();
        }
        let elf = |id: &Pubkey| mollusk.program_cache.get_program_elf_bytes(id);
        let unseen = programs::prepare(context, crate::records_functions(), elf);
        live::begin(context, None, traces, unseen);
        self.next.before_invocation(mollusk, program_id, data, accounts, context, traces);
    }

    fn after_invocation(&self, mollusk: &Mollusk, context: &InvokeContext, traces: bool) {
        self.next.after_invocation(mollusk, context, traces);
        crate::ended(live::end(context));
    }
}
