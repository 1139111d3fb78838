//! Records every transaction on LiteSVM, and gives its programs the two syscalls.

use {
    crate::{events, END, START},
    litesvm::{
        register_tracing::DefaultRegisterTracingCallback, InvocationInspectCallback, LiteSVM,
    },
    solana_program_runtime::{
        invoke_context::InvokeContext,
        solana_sbpf::{program::BuiltinFunctionDefinition, vm::ContextObject},
    },
    solana_transaction::sanitized::SanitizedTransaction,
    solana_transaction_context::IndexOfAccount,
};

/// A [`LiteSVM::new`] whose programs have the two syscalls, and which records every transaction.
/// Its logs have no limit. Do not change that, since the record ends where the log is truncated.
/// LiteSVM has only one callback, which this uses. It writes register traces if `SBF_TRACE_DIR` is
/// set, like LiteSVM's own callback.
pub fn litesvm() -> LiteSVM {
    litesvm_with(|svm| svm)
}

/// The same. `choose` may change the machine before the syscalls are registered: features, the
/// compute budget, precompiles.
pub fn litesvm_with(choose: impl FnOnce(LiteSVM) -> LiteSVM) -> LiteSVM {
    let mut svm = choose(LiteSVM::default().with_mainnet_features())
        .with_builtins()
        .with_custom_syscall(START, events::SectionStart::register)
        .with_custom_syscall(END, events::SectionEnd::register)
        .with_lamports(1_000_000_000_000_000)
        .with_sysvars()
        .with_feature_accounts()
        .with_default_programs()
        .with_sigverify(true)
        .with_blockhash_check(true)
        .with_log_bytes_limit(None);
    svm.set_invocation_inspect_callback(Callback { traces: Default::default() });
    svm
}

struct Callback {
    traces: DefaultRegisterTracingCallback,
}

impl InvocationInspectCallback for Callback {
    fn before_invocation(
        &self,
        svm: &LiteSVM,
        transaction: &SanitizedTransaction,
        programs: &[IndexOfAccount],
        context: &mut InvokeContext,
        traces: bool,
    ) {
        events::begin(0, context.get_remaining());
        self.traces.before_invocation(svm, transaction, programs, context, traces);
    }

    fn after_invocation(
        &self,
        svm: &LiteSVM,
        transaction: &SanitizedTransaction,
        programs: &[IndexOfAccount],
        context: &InvokeContext,
        traces: bool,
    ) {
        self.traces.after_invocation(svm, transaction, programs, context, traces);
        if let Some(log) = context.get_log_collector() {
            crate::ended(&log, 0, context.get_remaining(), Some(transaction.signature()));
        }
    }
}
