//! Machines of other kinds: without functions, within a built-in program, one that panics, and one whose
//! program was replaced behind its back. Each profile is that of one test, by its label.

mod common;

use {
    litesvm::LiteSVM,
    mollusk_svm::Mollusk,
    solana_account::Account,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_program_runtime::{
        invoke_context::InvokeContext,
        solana_sbpf::{program::BuiltinFunctionDefinition, vm::ContextObject},
    },
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_transaction::Transaction,
    std::{
        error::Error,
        path::PathBuf,
        sync::{Mutex, MutexGuard},
    },
};

const OUTER: Pubkey = Pubkey::new_from_array([7; 32]);
const INNER: Pubkey = Pubkey::new_from_array([9; 32]);
const PLAIN: Pubkey = Pubkey::new_from_array([17; 32]);
const BUILT_IN: Pubkey = Pubkey::new_from_array([11; 32]);

/// One at a time: what is written has everything that has run in this process.
static ONE: Mutex<()> = Mutex::new(());

fn one() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// All units in the profile of this process, and the stacks.
fn recorded() -> (u64, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("machines.folded");
    toll_svm::write(&path).unwrap();
    let folded = std::fs::read_to_string(&path).unwrap();
    let stacks = folded.lines().filter(|line| !line.starts_with('#'));
    let units = stacks.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
    (units.sum(), folded)
}

/// Are all units of the program those of its functions?
fn has_functions(folded: &str, program: Pubkey) -> bool {
    let name = format!("program {program}");
    let own = |line: &str| {
        let rest = line.strip_prefix(&name)?.trim_start_matches(" (failed)");
        Some(rest.starts_with(";entrypoint"))
    };
    let lines: Vec<_> = folded.lines().filter_map(own).collect();
    !lines.is_empty() && lines.iter().all(|&is_function| is_function)
}

fn payer() -> Keypair {
    Keypair::new_from_array([1; 32])
}

fn enrich(svm: &mut LiteSVM) {
    let rich = Account { lamports: 1_000_000_000_000, ..Account::default() };
    svm.set_account(payer().pubkey(), rich).unwrap();
}

fn send(svm: &mut LiteSVM, program: Pubkey, data: &[u8]) -> (u64, bool) {
    let accounts = vec![AccountMeta::new_readonly(INNER, false)];
    let instruction = Instruction { program_id: program, accounts, data: data.to_vec() };
    svm.expire_blockhash();
    let transaction = Transaction::new_signed_with_payer(
        &[instruction],
        Some(&payer().pubkey()),
        &[payer()],
        svm.latest_blockhash(),
    );
    match svm.send_transaction(transaction) {
        Ok(meta) => (meta.compute_units_consumed, true),
        Err(failed) => (failed.meta.compute_units_consumed, false),
    }
}

fn machine() -> LiteSVM {
    let mut svm = toll_svm::litesvm();
    svm.add_program(OUTER, &common::program("outer")).unwrap();
    svm.add_program(INNER, &common::program("inner")).unwrap();
    enrich(&mut svm);
    svm
}

#[test]
fn without_functions_it_adds_up_too() {
    let _one = one();
    let (before, _) = recorded();
    toll_svm::record_functions(false);
    let mut svm = machine();
    let mut all = 0;
    for data in [&[0][..], &[2], &[2, 1], &[3], &[7]] {
        toll_svm::take();
        let (charged, _) = send(&mut svm, OUTER, data);
        let invocations = toll_svm::take();
        let outer = invocations.last().unwrap();
        assert_eq!(outer.consumed, charged);
        assert!(outer.left_open.iter().all(|section| section.total <= charged));
        all += charged;
    }
    let (after, folded) = recorded();
    assert_eq!(after - before, all);
    assert!(folded.contains(&format!("program {OUTER};invoke;inner;program {INNER};inner ")));
    assert!(folded.contains(&format!("program {OUTER} (failed);left open ")), "{folded}");
}

macro_rules! built_in {
    ($name:ident, |$context:ident| $body:expr) => {
        struct $name;

        impl BuiltinFunctionDefinition<InvokeContext<'static, 'static>> for $name {
            type Error = Box<dyn Error>;

            fn rust(
                $context: &mut InvokeContext<'static, 'static>,
                _: u64,
                _: u64,
                _: u64,
                _: u64,
                _: u64,
            ) -> Result<u64, Box<dyn Error>> {
                $body
            }
        }
    };
}

built_in!(RunsAMachine, |context| {
    context.consume(100);
    let (charged, good) = send(&mut machine(), OUTER, &[2]);
    context.consume(charged);
    assert!(good);
    Ok(0)
});

built_in!(Panics, |context| {
    context.consume(70);
    panic!("as it should")
});

#[test]
fn a_machine_within_a_built_in_program() {
    let _one = one();
    toll_svm::record_functions(true);
    let (before, _) = recorded();
    let mut svm = machine();
    svm.add_builtin(BUILT_IN, RunsAMachine::register);
    toll_svm::take();
    let (charged, good) = send(&mut svm, BUILT_IN, &[]);
    assert!(good);
    let invocations = toll_svm::take();
    let programs: Vec<_> = invocations.iter().map(|i| (i.program.clone(), i.depth)).collect();
    let expected = [(INNER, 2), (OUTER, 1), (BUILT_IN, 1)];
    assert_eq!(programs, expected.map(|(key, depth)| (key.to_string(), depth)));
    assert_eq!(invocations[2].consumed, charged);
    let (after, folded) = recorded();
    assert_eq!(after - before, charged + charged - 100);
    assert!(folded.contains(&format!("program {BUILT_IN} {charged}\n")), "{folded}");
}

/// What ran before on that thread, or in another one with the same recorder, is kept.
#[test]
fn a_built_in_program_that_panics() {
    let _one = one();
    toll_svm::record_functions(true);
    let (before, _) = recorded();
    let charged = std::thread::spawn(|| send(&mut machine(), OUTER, &[0]).0).join().unwrap();
    let panicked = std::thread::spawn(|| {
        let mut svm = machine();
        svm.add_builtin(BUILT_IN, Panics::register);
        send(&mut svm, BUILT_IN, &[]);
    });
    panicked.join().unwrap_err();
    let (after, folded) = recorded();
    assert_eq!(after - before, charged, "{folded}");
}

/// Functions of a program that a machine has already, and of another one that takes its place.
#[test]
fn a_program_that_was_there_and_one_that_takes_its_place() {
    let _one = one();
    toll_svm::record_functions(true);
    let (before, _) = recorded();
    let mut svm = LiteSVM::new();
    svm.add_program(PLAIN, &common::program("plain")).unwrap();
    enrich(&mut svm);
    toll_svm::record(&mut svm);
    let (first, _) = send(&mut svm, PLAIN, &[0]);
    svm.add_program(PLAIN, &common::program("other")).unwrap();
    let (second, _) = send(&mut svm, PLAIN, &[0]);
    let (after, folded) = recorded();
    assert_ne!(first, second);
    assert_eq!(after - before, first + second);
    assert!(has_functions(&folded, PLAIN), "{folded}");
}

#[test]
fn a_mollusk_that_has_its_program_already() {
    let _one = one();
    toll_svm::record_functions(true);
    let (before, _) = recorded();
    let mut mollusk = Mollusk::default();
    let program = Pubkey::new_from_array([13; 32]);
    let loader = mollusk_svm::program::loader_keys::LOADER_V3;
    mollusk.program_cache.add_program(&program, &loader, &common::program("plain"));
    toll_svm::mollusk(&mut mollusk);
    let instruction = Instruction { program_id: program, accounts: vec![], data: vec![1] };
    let charged: u64 =
        (0..3).map(|_| mollusk.process_instruction(&instruction, &[]).compute_units_consumed).sum();
    let (after, folded) = recorded();
    assert_eq!(after - before, charged);
    assert!(has_functions(&folded, program), "{folded}");
}

/// The machine runs the code that it loaded: it is not loaded again from the account, which has other
/// code by now.
#[test]
fn code_that_was_replaced_behind_the_machine() {
    let _one = one();
    toll_svm::record_functions(true);
    let mut svm = LiteSVM::new();
    svm.add_program(INNER, &common::program("plain")).unwrap();
    enrich(&mut svm);
    let (plain, _) = send(&mut svm, INNER, &[0]);
    let data = svm.get_account(&INNER).unwrap().data;
    let code = Pubkey::new_from_array(data[4..36].try_into().unwrap());
    let mut account = svm.get_account(&code).unwrap();
    let size = account.data.len();
    account.data.truncate(45);
    account.data.extend(common::program("other"));
    account.data.resize(size.max(account.data.len()), 0);
    svm.set_account(code, account).unwrap();
    toll_svm::record(&mut svm);
    let (before, _) = recorded();
    assert_eq!(send(&mut svm, INNER, &[0]).0, plain);
    let (after, folded) = recorded();
    assert_eq!(after - before, plain);
    assert!(folded.contains(&format!("program {INNER} {plain}\n")), "{folded}");
}
