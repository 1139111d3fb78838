//! Functions and system calls of published programs, and of failures of many kinds: what is recorded
//! adds up to what the machine charges, to the unit. tests/crate/run.sh compares the profile with that
//! of the traces and logs of the same run, for which the transactions are printed.

mod common;

use {
    litesvm::LiteSVM,
    sbpf_linker::SbpfArch,
    solana_account::Account,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_transaction::Transaction,
    std::sync::Mutex,
};

const TOKEN: Pubkey = Pubkey::from_str_const("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const TOKEN_2022: Pubkey = Pubkey::from_str_const("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
const ATA: Pubkey = Pubkey::from_str_const("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const MEMO: Pubkey = Pubkey::from_str_const("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
const SYSTEM: Pubkey = Pubkey::new_from_array([0; 32]);
const BUDGET: Pubkey = Pubkey::from_str_const("ComputeBudget111111111111111111111111111111");
const OUTER: Pubkey = Pubkey::new_from_array([7; 32]);
const INNER: Pubkey = Pubkey::new_from_array([9; 32]);
const MINT_SIZE: u64 = 82;

/// Printing is one step, since tests run on several threads.
static PRINT: Mutex<()> = Mutex::new(());

struct Machine {
    svm: LiteSVM,
    payer: Keypair,
    serial: u64,
}

fn limit(units: u32) -> Instruction {
    let data = [&[2][..], &units.to_le_bytes()].concat();
    Instruction { program_id: BUDGET, accounts: vec![], data }
}

fn heap(bytes: u32) -> Instruction {
    let data = [&[1][..], &bytes.to_le_bytes()].concat();
    Instruction { program_id: BUDGET, accounts: vec![], data }
}

fn writable(key: Pubkey) -> AccountMeta {
    AccountMeta::new(key, false)
}

fn readonly(key: Pubkey) -> AccountMeta {
    AccountMeta::new_readonly(key, false)
}

impl Machine {
    fn new(mut svm: LiteSVM, seed: u8) -> Machine {
        let payer = Keypair::new_from_array([seed; 32]);
        let rich = Account { lamports: 1_000_000_000_000, ..Account::default() };
        svm.set_account(payer.pubkey(), rich).unwrap();
        Machine { svm, payer, serial: 0 }
    }

    /// Send a transaction. Returns whether it succeeded; what was recorded is what was charged.
    fn send(&mut self, instructions: &[Instruction], signers: &[&Keypair]) -> bool {
        self.serial += 1;
        let unique = Instruction {
            program_id: SYSTEM, // a transfer of nothing to itself, so that no two are equal
            accounts: vec![
                AccountMeta::new(self.payer.pubkey(), true),
                writable(Pubkey::new_from_array([self.serial as u8; 32])),
            ],
            data: [&[2, 0, 0, 0][..], &(890_880 + self.serial).to_le_bytes()].concat(),
        };
        let all = [&[unique], instructions].concat();
        let blockhash = self.svm.latest_blockhash();
        let keys = [&[&self.payer], signers].concat();
        let payer = self.payer.pubkey();
        let sent = self.svm.send_transaction(Transaction::new_signed_with_payer(
            &all,
            Some(&payer),
            &keys,
            blockhash,
        ));
        let (meta, good) = match sent {
            Ok(meta) => (meta, true),
            Err(failed) => (failed.meta, false),
        };
        let recorded = toll_svm::take();
        let top = recorded.iter().filter(|i| i.depth == 1).map(|i| i.consumed).sum::<u64>();
        assert_eq!(top, meta.compute_units_consumed, "{}", meta.logs.join("\n"));
        let _printing = PRINT.lock();
        println!("\nCompute Units Consumed: {top}\n{}", meta.logs.join("\n"));
        good
    }

    fn mint(&mut self, token: Pubkey) -> Pubkey {
        self.serial += 1;
        let mint = Keypair::new_from_array([self.serial as u8 ^ 0x55; 32]);
        let rent = self.svm.minimum_balance_for_rent_exemption(MINT_SIZE as usize);
        let data = [&[0; 4][..], &rent.to_le_bytes(), &MINT_SIZE.to_le_bytes(), token.as_ref()];
        let signed = |key| AccountMeta::new(key, true);
        let create = Instruction {
            program_id: SYSTEM,
            accounts: vec![signed(self.payer.pubkey()), signed(mint.pubkey())],
            data: data.concat(),
        };
        let data = [&[20, 6][..], self.payer.pubkey().as_ref(), &[0]].concat();
        let begin =
            Instruction { program_id: token, accounts: vec![writable(mint.pubkey())], data };
        assert!(self.send(&[create, begin], &[&mint]));
        mint.pubkey()
    }

    fn address(&self, owner: Pubkey, token: Pubkey, mint: Pubkey) -> Pubkey {
        let seeds = [owner.as_ref(), token.as_ref(), mint.as_ref()];
        Pubkey::find_program_address(&seeds, &ATA).0
    }

    fn create(&self, owner: Pubkey, token: Pubkey, mint: Pubkey) -> Instruction {
        let account = self.address(owner, token, mint);
        let accounts = vec![
            AccountMeta::new(self.payer.pubkey(), true),
            writable(account),
            readonly(owner),
            readonly(mint),
            readonly(SYSTEM),
            readonly(token),
        ];
        Instruction { program_id: ATA, accounts, data: vec![] }
    }

    fn mint_to(&self, token: Pubkey, mint: Pubkey, account: Pubkey, amount: u64) -> Instruction {
        let owner = AccountMeta::new_readonly(self.payer.pubkey(), true);
        let data = [&[7][..], &amount.to_le_bytes()].concat();
        let accounts = vec![writable(mint), writable(account), owner];
        Instruction { program_id: token, accounts, data }
    }

    fn transfer(&self, token: Pubkey, from: Pubkey, to: Pubkey, amount: u64) -> Instruction {
        let owner = AccountMeta::new_readonly(self.payer.pubkey(), true);
        let data = [&[3][..], &amount.to_le_bytes()].concat();
        let accounts = vec![writable(from), writable(to), owner];
        Instruction { program_id: token, accounts, data }
    }
}

fn outer(data: &[u8]) -> Instruction {
    let accounts = vec![readonly(INNER)];
    Instruction { program_id: OUTER, accounts, data: data.to_vec() }
}

fn recording() -> LiteSVM {
    toll_svm::record_functions(true);
    toll_svm::litesvm()
}

/// Tokens are made, moved and run out, also within budgets that end anywhere.
fn life_of_tokens(mut m: Machine, token: Pubkey, step: usize) {
    let mint = m.mint(token);
    let (mine, other) = (m.payer.pubkey(), Pubkey::new_from_array([77; 32]));
    let (from, to) = (m.address(mine, token, mint), m.address(other, token, mint));
    for units in (300..60_000).step_by(step) {
        m.send(&[limit(units), m.create(mine, token, mint)], &[]);
    }
    m.send(&[m.create(mine, token, mint)], &[]); // it exists, by now
    assert!(m.send(&[m.create(other, token, mint)], &[]));
    assert!(m.send(&[m.mint_to(token, mint, from, 1000)], &[]));
    assert!(m.send(&[heap(128 * 1024), m.transfer(token, from, to, 10)], &[]));
    assert!(!m.send(&[m.transfer(token, from, to, 10_000)], &[]));
    assert!(!m.send(&[m.transfer(token, mint, to, 1)], &[]));
    for units in (300..8000).step_by(step) {
        m.send(&[limit(units), m.transfer(token, from, to, 1)], &[]);
    }
    let note = Instruction { program_id: MEMO, accounts: vec![], data: vec![b'm'; 200] };
    assert!(m.send(&[note.clone(), m.transfer(token, from, to, 1), note], &[]));
    let bad = Instruction { program_id: MEMO, accounts: vec![], data: vec![0xff; 3] };
    assert!(!m.send(&[m.transfer(token, from, to, 1), bad], &[]));
}

#[test]
fn tokens() {
    life_of_tokens(Machine::new(recording(), 1), TOKEN, 997);
}

#[test]
fn tokens_of_2022() {
    life_of_tokens(Machine::new(recording(), 2), TOKEN_2022, 797);
}

/// The log is truncated, and the machine was there before.
#[test]
fn a_machine_of_its_own() {
    toll_svm::record_functions(true);
    let mut svm = LiteSVM::new().with_log_bytes_limit(Some(300));
    toll_svm::record(&mut svm);
    life_of_tokens(Machine::new(svm, 3), TOKEN, 1501);
}

#[test]
fn sections_and_failures() {
    let mut m = Machine::new(recording(), 4);
    m.svm.add_program(OUTER, &common::program("outer")).unwrap();
    m.svm.add_program(INNER, &common::program("inner")).unwrap();
    for what in 0..10 {
        m.send(&[outer(&[what])], &[]);
        m.send(&[outer(&[what]), outer(&[what, 1])], &[]);
    }
    for units in (200..6000).step_by(111) {
        m.send(&[limit(units), outer(&[2])], &[]);
    }
}

/// Programs that invoke themselves, as deep as the runtime allows, and deeper.
#[test]
fn invocations_within_invocations() {
    let mut m = Machine::new(recording(), 5);
    m.svm.add_program(OUTER, &common::program("deep")).unwrap();
    let accounts = vec![readonly(OUTER)];
    let call =
        |depth| Instruction { program_id: OUTER, accounts: accounts.clone(), data: vec![depth] };
    let good = (0..12).filter(|&depth| m.send(&[call(depth)], &[])).count();
    assert!(good == 5 || good == 9, "{good} levels"); // by the feature that allows more
    for units in (1000..12_000).step_by(250) {
        m.send(&[limit(units), call(4)], &[]);
    }
}

/// Programs in C for version 3 of the VM: other instructions for calls, system calls by their hash.
/// (With SBF_TRACE_DIR solana-sbpf panics for their files, which have no names of sections.)
#[test]
fn version_3_of_the_virtual_machine() {
    toll_svm::record_functions(true);
    let mut svm = LiteSVM::new(); // with all features
    toll_svm::record(&mut svm);
    let mut m = Machine::new(svm, 6);
    m.svm.add_program(OUTER, &common::program_of("deep", SbpfArch::V3)).unwrap();
    let accounts = vec![readonly(OUTER)];
    let call =
        |depth| Instruction { program_id: OUTER, accounts: accounts.clone(), data: vec![depth] };
    for depth in 0..5 {
        assert!(m.send(&[call(depth)], &[]), "{depth}");
    }
    m.svm.add_program(INNER, &common::program_of("plain", SbpfArch::V3)).unwrap();
    let plain = Instruction { program_id: INNER, accounts: vec![], data: vec![] };
    assert!(m.send(&[plain], &[]));
    for units in (1000..12_000).step_by(450) {
        m.send(&[limit(units), call(4)], &[]);
    }
}
