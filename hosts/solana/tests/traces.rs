//! The recipe for traces in docs/solana.md: run with SBF_TRACE_DIR set, this leaves traces there, and
//! prints what `toll convert --logs` reads.

mod common;

use {
    litesvm::{types::TransactionMetadata, LiteSVM},
    mollusk_svm::{program::loader_keys, Mollusk},
    solana_account::Account,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_transaction::Transaction,
};

const OUTER: Pubkey = Pubkey::new_from_array([7; 32]);
const INNER: Pubkey = Pubkey::new_from_array([9; 32]);

/// SBF_TRACE_DIR is what the test is about; without it there is nothing to look at.
fn traces() -> Option<usize> {
    let folder = std::env::var_os("SBF_TRACE_DIR")?;
    let Ok(files) = std::fs::read_dir(folder) else { return Some(0) };
    Some(
        files
            .filter(|f| f.as_ref().unwrap().path().extension().is_some_and(|e| e == "regs"))
            .count(),
    )
}

fn send(svm: &mut LiteSVM, payer: &Keypair, instruction: Instruction) -> TransactionMetadata {
    let (signers, blockhash) = ([payer], svm.latest_blockhash());
    let instructions = [instruction];
    let transaction = Transaction::new_signed_with_payer(
        &instructions,
        Some(&payer.pubkey()),
        &signers,
        blockhash,
    );
    let sent = svm.send_transaction(transaction).unwrap();
    println!("\nCompute Units Consumed: {}\n{}", sent.compute_units_consumed, sent.logs.join("\n"));
    sent
}

#[test]
fn litesvm_leaves_traces() {
    let mut svm = LiteSVM::new();
    svm.add_program(INNER, &common::program("plain")).unwrap();
    let payer = Keypair::new_from_array([1; 32]);
    svm.airdrop(&payer.pubkey(), 1_000_000_000).unwrap();
    let instruction = Instruction { program_id: INNER, accounts: vec![], data: vec![0] };
    send(&mut svm, &payer, instruction);
    assert!(traces().is_none_or(|count| count > 0));
}

#[test]
fn sections_and_traces_of_one_transaction() {
    let before = traces();
    let mut svm = toll_svm::litesvm();
    svm.add_program(OUTER, &common::program("outer")).unwrap();
    svm.add_program(INNER, &common::program("inner")).unwrap();
    let payer = Keypair::new_from_array([2; 32]);
    svm.airdrop(&payer.pubkey(), 1_000_000_000).unwrap();
    let accounts = vec![AccountMeta::new_readonly(INNER, false)];
    let instruction = Instruction { program_id: OUTER, accounts, data: vec![2] };
    toll_svm::take();
    let sent = send(&mut svm, &payer, instruction);
    let invocations = toll_svm::take();
    let named = |i: usize| invocations[i].sections.iter().map(|s| s.id.clone()).collect::<Vec<_>>();
    assert_eq!(
        (named(0), named(1)),
        (vec![b"inner".to_vec()], vec![b"inner".to_vec(), b"invoke".to_vec()])
    );
    assert_eq!(invocations[1].consumed, sent.compute_units_consumed);
    assert!(traces().is_none_or(|count| count >= before.unwrap() + 2));
}

#[test]
fn mollusk_leaves_traces() {
    let mut mollusk = Mollusk::default();
    mollusk.program_cache.add_program(&INNER, &loader_keys::LOADER_V3, &common::program("plain"));
    let accounts = vec![AccountMeta::new_readonly(INNER, false)];
    let instruction = Instruction { program_id: INNER, accounts, data: vec![0] };
    let inner: Account = mollusk_svm::program::create_program_account_loader_v3(&INNER);
    mollusk.process_instruction(&instruction, &[(INNER, inner)]);
    assert!(traces().is_none_or(|count| count > 0));
}
