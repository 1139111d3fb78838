use {
    crate::{events, END, START},
    litesvm::{InvocationInspectCallback, LiteSVM},
    solana_program_runtime::invoke_context::InvokeContext,
    solana_sbpf::vm::ContextObject,
    solana_transaction::sanitized::SanitizedTransaction,
    solana_transaction_context::IndexOfAccount,
};

/// A [`LiteSVM::new`] whose programs have the two syscalls, and which records every transaction. Its
/// logs have no limit: leave that so, since the record ends with the log. LiteSVM has one callback,
/// which this uses: for traces (`SBF_TRACE_DIR`) make a machine without it.
pub fn litesvm() -> LiteSVM {
    litesvm_with(|svm| svm)
}

/// The same; `choose` may change the machine before the syscalls are registered: other features, a
/// compute budget, precompiles.
pub fn litesvm_with(choose: impl FnOnce(LiteSVM) -> LiteSVM) -> LiteSVM {
    let mut svm = choose(LiteSVM::default().with_mainnet_features())
        .with_builtins()
        .with_custom_syscall(START, events::SectionStart::vm)
        .with_custom_syscall(END, events::SectionEnd::vm)
        .with_lamports(1_000_000_000_000_000)
        .with_sysvars()
        .with_feature_accounts()
        .with_default_programs()
        .with_sigverify(true)
        .with_blockhash_check(true)
        .with_log_bytes_limit(None);
    svm.set_invocation_inspect_callback(Callback);
    svm
}

struct Callback;

impl InvocationInspectCallback for Callback {
    fn before_invocation(
        &self,
        _: &LiteSVM,
        _: &SanitizedTransaction,
        _: &[IndexOfAccount],
        context: &mut InvokeContext,
        _: bool,
    ) {
        events::begin(0, context.get_remaining());
    }

    fn after_invocation(
        &self,
        _: &LiteSVM,
        _: &SanitizedTransaction,
        _: &[IndexOfAccount],
        context: &InvokeContext,
        _: bool,
    ) {
        if let Some(log) = context.get_log_collector() {
            crate::ended(log.borrow().get_recorded_content(), context.get_remaining());
        }
    }
}
