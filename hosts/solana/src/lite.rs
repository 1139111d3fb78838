//! Records every transaction on LiteSVM, and gives its programs the two syscalls.

use {
    crate::{events, live, programs, wrap, END, START},
    litesvm::{
        register_tracing::DefaultRegisterTracingCallback, InvocationInspectCallback, LiteSVM,
    },
    solana_program_runtime::{
        invoke_context::InvokeContext,
        solana_sbpf::{
            elf::ElfError,
            program::{BuiltinFunctionDefinition, BuiltinProgram},
        },
    },
    solana_pubkey::Pubkey,
    solana_transaction::sanitized::SanitizedTransaction,
    solana_transaction_context::IndexOfAccount,
};

/// A [`LiteSVM::new`] whose programs have the two syscalls of sections, and which records every
/// transaction. Its logs have no limit, so that they have room for the lines of sections. LiteSVM
/// has only one callback, which this uses. It writes register traces if `SBF_TRACE_DIR` is set, like
/// LiteSVM's own callback.
pub fn litesvm() -> LiteSVM {
    litesvm_with(|svm| svm)
}

/// The same. `choose` may change the machine before the syscalls are registered: features, the
/// compute budget, precompiles.
pub fn litesvm_with(choose: impl FnOnce(LiteSVM) -> LiteSVM) -> LiteSVM {
    let mut svm = choose(LiteSVM::default().with_mainnet_features())
        .with_builtins()
        .with_custom_syscall(START, events::SectionStart::register)
        .with_custom_syscall(END, register_last)
        .with_lamports(1_000_000_000_000_000)
        .with_sysvars()
        .with_feature_accounts()
        .with_default_programs()
        .with_sigverify(true)
        .with_blockhash_check(true)
        .with_log_bytes_limit(None);
    record(&mut svm);
    svm
}

/// Record every transaction of a machine from now on. Its programs are loaded again when they first
/// run, so that their functions are seen. They have the syscalls of sections only if [`litesvm`]
/// made the machine. LiteSVM has only one callback, which this uses, as [`litesvm`] says.
pub fn record(svm: &mut LiteSVM) {
    svm.set_invocation_inspect_callback(Callback { traces: Default::default() });
}

fn register_last(
    program: &mut BuiltinProgram<InvokeContext<'static, 'static>>,
    name: &str,
) -> Result<(), ElfError> {
    events::SectionEnd::register(program, name)?;
    if crate::records_functions() {
        *program = wrap::environment(program);
    }
    Ok(())
}

/// The ELF file of a program. That of an upgradeable one is in an account of its own, whose address
/// is in the program's.
fn elf(svm: &LiteSVM, id: &Pubkey) -> Option<Vec<u8>> {
    const PROGRAM: [u8; 4] = [2, 0, 0, 0]; // the loader's state of such an account
    let data = svm.get_account(id)?.data;
    elf_in(&data).or_else(|| {
        let address = data.strip_prefix(&PROGRAM)?.first_chunk::<32>()?;
        elf_in(&svm.get_account(&Pubkey::new_from_array(*address))?.data)
    })
}

/// The ELF file in an account, after the head that its loader gives it.
fn elf_in(data: &[u8]) -> Option<Vec<u8>> {
    const HEADS: [usize; 3] = [0, 45, 48]; // of loaders 1 and 2, of 3, of 4
    let begins = |head: &usize| data.get(*head..).is_some_and(|rest| rest.starts_with(b"\x7fELF"));
    HEADS.iter().find(|head| begins(head)).map(|head| data[*head..].to_vec())
}

struct Callback {
    traces: DefaultRegisterTracingCallback,
}

impl InvocationInspectCallback for Callback {
    fn before_invocation(
        &self,
        svm: &LiteSVM,
        transaction: &SanitizedTransaction,
        indices: &[IndexOfAccount],
        context: &mut InvokeContext,
        traces: bool,
    ) {
        let unseen = programs::prepare(context, crate::records_functions(), |id| elf(svm, id));
        live::begin(context, Some(transaction.signature()), traces, unseen);
        self.traces.before_invocation(svm, transaction, indices, context, traces);
    }

    fn after_invocation(
        &self,
        svm: &LiteSVM,
        transaction: &SanitizedTransaction,
        indices: &[IndexOfAccount],
        context: &InvokeContext,
        traces: bool,
    ) {
        self.traces.after_invocation(svm, transaction, indices, context, traces);
        crate::ended(live::end(context));
    }
}
