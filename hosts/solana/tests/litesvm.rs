//! Sections of real programs in whole transactions, by LiteSVM.

mod common;

use {
    litesvm::LiteSVM,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_transaction::Transaction,
};

const OUTER: Pubkey = Pubkey::new_from_array([7; 32]);
const INNER: Pubkey = Pubkey::new_from_array([9; 32]);

fn machine() -> (LiteSVM, Keypair) {
    toll_svm::record_functions(false);
    let mut svm = toll_svm::litesvm();
    svm.add_program(OUTER, &common::program("outer")).unwrap();
    svm.add_program(INNER, &common::program("inner")).unwrap();
    let payer = Keypair::new();
    svm.airdrop(&payer.pubkey(), 1_000_000_000).unwrap();
    toll_svm::take(); // the airdrop
    (svm, payer)
}

fn instruction(data: &[u8]) -> Instruction {
    let accounts = vec![AccountMeta::new_readonly(INNER, false)];
    Instruction { program_id: OUTER, accounts, data: data.to_vec() }
}

fn transaction(svm: &LiteSVM, payer: &Keypair, instructions: &[Instruction]) -> Transaction {
    let signers = [payer];
    Transaction::new_signed_with_payer(
        instructions,
        Some(&payer.pubkey()),
        &signers,
        svm.latest_blockhash(),
    )
}

#[test]
fn a_transaction_of_several_instructions() {
    let (mut svm, payer) = machine();
    let both = [instruction(&[0]), instruction(&[2])];
    let sent = svm.send_transaction(transaction(&svm, &payer, &both)).unwrap();
    let invocations = toll_svm::take();
    let depths: Vec<_> = invocations.iter().map(|i| i.depth).collect();
    assert_eq!(depths, [1, 2, 1]);
    let top: u64 = invocations.iter().filter(|i| i.depth == 1).map(|i| i.consumed).sum();
    assert_eq!(top, sent.compute_units_consumed);
    assert_eq!(invocations[0].sections.len(), 8);
    assert_eq!(invocations[1].sections.len(), 1);
}

/// Each invocation's lines are right before the line that ends it, and nowhere else.
fn are_in_the_log(invocations: &[toll_svm::Invocation], logs: &[String]) {
    let mut rest = logs;
    for one in invocations {
        let end =
            format!("Program {} {}", one.program, if one.failed { "failed" } else { "success" });
        let end = rest.iter().position(|line| line.starts_with(&end)).unwrap();
        assert_eq!(rest[end - one.log.len()..end], one.log[..], "{logs:#?}");
        rest = &rest[end + 1..];
    }
    let all: usize = invocations.iter().map(|one| one.log.len()).sum();
    let is_ours = |line: &&String| line.starts_with("CU log:") || line.starts_with("HEAP :");
    assert_eq!(logs.iter().filter(is_ours).count(), all);
    assert!(all > 0);
}

#[test]
fn sections_are_in_the_log_of_the_transaction() {
    let (mut svm, payer) = machine();
    let several = [instruction(&[2]), instruction(&[0]), instruction(&[1])];
    let sent = svm.send_transaction(transaction(&svm, &payer, &several)).unwrap();
    are_in_the_log(&toll_svm::take(), &sent.logs);
    let failing = [instruction(&[0]), instruction(&[3])];
    let failed = svm.send_transaction(transaction(&svm, &payer, &failing)).unwrap_err();
    are_in_the_log(&toll_svm::take(), &failed.meta.logs);
    svm.expire_blockhash();
    let simulated = svm.simulate_transaction(transaction(&svm, &payer, &several)).unwrap();
    assert_eq!(simulated.meta.logs, sent.logs);
}

/// What the outermost invocations say, and what the machine charged.
fn charged(svm: &mut LiteSVM, payer: &Keypair, instructions: &[Instruction]) -> (u64, u64) {
    let sent = svm.send_transaction(transaction(svm, payer, instructions));
    let charged = match sent {
        Ok(sent) => sent.compute_units_consumed,
        Err(failed) => failed.meta.compute_units_consumed,
    };
    let invocations = toll_svm::take();
    let told = invocations.iter().filter(|i| i.depth == 1).map(|i| i.consumed).sum();
    (told, charged)
}

/// The transaction may spend `units`: an instruction of the Compute Budget program, which costs 150.
fn limit(units: u32) -> Instruction {
    let budget: Pubkey = "ComputeBudget111111111111111111111111111111".parse().unwrap();
    let mut data = vec![2];
    data.extend(units.to_le_bytes());
    Instruction { program_id: budget, accounts: vec![], data }
}

/// An instruction of the System program, which costs 150.
fn transfer(payer: &Keypair) -> Instruction {
    let mut data = vec![2, 0, 0, 0];
    data.extend(1_000_000u64.to_le_bytes());
    let accounts =
        vec![AccountMeta::new(payer.pubkey(), true), AccountMeta::new(Pubkey::new_unique(), false)];
    Instruction { program_id: Pubkey::default(), accounts, data }
}

#[test]
fn built_in_programs_have_their_price() {
    let (mut svm, payer) = machine();
    let (limit, transfer) = (limit(40_000), transfer(&payer));
    let kinds: [&[Instruction]; 4] = [
        &[transfer.clone()],
        &[limit.clone(), transfer.clone()],
        &[limit.clone(), transfer.clone(), instruction(&[0]), transfer.clone()],
        &[limit, transfer, instruction(&[7])],
    ];
    for instructions in kinds {
        let (told, charged) = charged(&mut svm, &payer, instructions);
        assert_eq!(told, charged, "{} instructions", instructions.len());
    }
}

#[test]
fn a_built_in_program_without_enough_units_is_charged_what_remains() {
    let (mut svm, payer) = machine();
    let instructions = [limit(400), transfer(&payer), transfer(&payer)];
    assert_eq!(charged(&mut svm, &payer, &instructions), (400, 400));
}

#[test]
fn a_failing_transaction() {
    let (mut svm, payer) = machine();
    let both = [instruction(&[0]), instruction(&[3])];
    svm.send_transaction(transaction(&svm, &payer, &both)).unwrap_err();
    let invocations = toll_svm::take();
    assert_eq!(invocations.len(), 2);
    assert!(!invocations[0].failed && invocations[1].failed);
    assert_eq!(invocations[1].left_open[0].id, b"left open");
}

#[test]
fn the_published_programs_are_accounted_for_too() {
    let (mut svm, payer) = machine();
    let memo: Pubkey = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr".parse().unwrap();
    let note = Instruction { program_id: memo, accounts: vec![], data: b"toll".to_vec() };
    let sent = svm.send_transaction(transaction(&svm, &payer, &[note])).unwrap();
    let invocations = toll_svm::take();
    assert_eq!(invocations[0].program, memo.to_string());
    assert_eq!(invocations[0].consumed, sent.compute_units_consumed);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lite.folded");
    toll_svm::write(&path).unwrap();
    let folded = std::fs::read_to_string(&path).unwrap();
    let line = format!("Memo {}\n", sent.compute_units_consumed);
    assert!(folded.contains(&line), "{folded}");
}

/// Each run of it is one of its own for TOLL_BY=transaction: tests/crate/run.sh looks at the profile.
#[test]
fn simulated_and_sent() {
    let (mut svm, payer) = machine();
    let transaction = transaction(&svm, &payer, &[instruction(&[0])]);
    let simulated = svm.simulate_transaction(transaction.clone()).unwrap().meta;
    let sent = svm.send_transaction(transaction).unwrap();
    assert_eq!(simulated.compute_units_consumed, sent.compute_units_consumed);
    println!("{} CU each", sent.compute_units_consumed);
}
