//! What recording costs: 47 transactions of published programs, and one of a million instructions without
//! a system call, on a plain LiteSVM, with invocations and sections alone, and with functions and system
//! calls. `cargo bench` prints the least time of several rounds of each, one after the other; `ROUNDS` says
//! how many.

#[path = "../tests/common/mod.rs"]
mod common;

use {
    litesvm::LiteSVM,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_transaction::Transaction,
    std::time::{Duration, Instant},
};

const TOKEN: Pubkey = Pubkey::from_str_const("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const ATA: Pubkey = Pubkey::from_str_const("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const MEMO: Pubkey = Pubkey::from_str_const("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
const SYSTEM: Pubkey = Pubkey::new_from_array([0; 32]);
const OWNERS: u8 = 15;

struct Run {
    svm: LiteSVM,
    payer: Keypair,
    units: u64,
}

impl Run {
    fn send(&mut self, instructions: &[Instruction], signers: &[&Keypair]) {
        let keys = [&[&self.payer], signers].concat();
        let transaction = Transaction::new_signed_with_payer(
            instructions,
            Some(&self.payer.pubkey()),
            &keys,
            self.svm.latest_blockhash(),
        );
        self.units += self.svm.send_transaction(transaction).unwrap().compute_units_consumed;
    }
}

fn writable(key: Pubkey) -> AccountMeta {
    AccountMeta::new(key, false)
}

fn readonly(key: Pubkey) -> AccountMeta {
    AccountMeta::new_readonly(key, false)
}

/// The mint, and for each owner an account, tokens in it and a memo: 2 + 3 * 15 transactions.
fn transactions(svm: LiteSVM) -> (Duration, u64) {
    let mut run = Run { svm, payer: Keypair::new_from_array([1; 32]), units: 0 };
    let (payer, mint) = (run.payer.pubkey(), Keypair::new_from_array([2; 32]));
    let start = Instant::now();
    run.svm.airdrop(&payer, 1_000_000_000_000).unwrap();
    let rent = run.svm.minimum_balance_for_rent_exemption(82);
    let space = [&rent.to_le_bytes()[..], &82u64.to_le_bytes()].concat();
    let create = Instruction {
        program_id: SYSTEM,
        accounts: vec![AccountMeta::new(payer, true), AccountMeta::new(mint.pubkey(), true)],
        data: [&[0; 4][..], &space, TOKEN.as_ref()].concat(),
    };
    let begin = Instruction {
        program_id: TOKEN,
        accounts: vec![writable(mint.pubkey())],
        data: [&[20, 6][..], payer.as_ref(), &[0]].concat(),
    };
    run.send(&[create, begin], &[&mint]);
    for number in 0..OWNERS {
        let owner = Pubkey::new_from_array([100 + number; 32]);
        let seeds = [owner.as_ref(), TOKEN.as_ref(), mint.pubkey().as_ref()].map(<[u8]>::to_vec);
        let seeds = seeds.each_ref().map(Vec::as_slice);
        let account = Pubkey::find_program_address(&seeds, &ATA).0;
        let accounts = vec![
            AccountMeta::new(payer, true),
            writable(account),
            readonly(owner),
            readonly(mint.pubkey()),
            readonly(SYSTEM),
            readonly(TOKEN),
        ];
        run.send(&[Instruction { program_id: ATA, accounts, data: vec![] }], &[]);
        let authority = AccountMeta::new_readonly(payer, true);
        let accounts = vec![writable(mint.pubkey()), writable(account), authority];
        let data = [&[7][..], &1000u64.to_le_bytes()].concat();
        run.send(&[Instruction { program_id: TOKEN, accounts, data }], &[]);
        let data = format!("a memo, number {number}").into_bytes();
        run.send(&[Instruction { program_id: MEMO, accounts: vec![], data }], &[]);
    }
    (start.elapsed(), run.units)
}

/// One transaction that almost uses up its budget.
fn busy(way: usize, elf: &[u8]) -> Duration {
    toll_svm::record_functions(way == 2);
    let mut svm = if way == 0 { LiteSVM::new() } else { toll_svm::litesvm() };
    let (program, payer) = (Pubkey::new_from_array([9; 32]), Keypair::new_from_array([1; 32]));
    svm.airdrop(&payer.pubkey(), 1_000_000_000).unwrap();
    svm.add_program(program, elf).unwrap();
    let budget = Pubkey::from_str_const("ComputeBudget111111111111111111111111111111");
    let data = [&[2][..], &1_400_000u32.to_le_bytes()].concat();
    let limit = Instruction { program_id: budget, accounts: vec![], data };
    let call = Instruction { program_id: program, accounts: vec![], data: vec![0] };
    let mut run = Run { svm, payer, units: 0 };
    let start = Instant::now();
    run.send(&[limit, call], &[]);
    assert!(run.units > 1_000_000, "{}", run.units);
    start.elapsed()
}

/// A machine, the transactions, and the profile: what a test takes in all.
fn round(way: usize) -> (Duration, Duration, u64) {
    let start = Instant::now();
    toll_svm::record_functions(way == 2);
    let svm = if way == 0 { LiteSVM::new() } else { toll_svm::litesvm() };
    let (transactions, units) = transactions(svm);
    if way > 0 {
        toll_svm::write(std::env::temp_dir().join("toll-bench.folded")).unwrap();
    }
    (start.elapsed(), transactions, units)
}

fn main() {
    let rounds = std::env::var("ROUNDS").map_or(10, |text| text.parse().expect("a number"));
    let ways = ["a plain LiteSVM", "invocations and sections", "functions and system calls"];
    let mut least = [(Duration::MAX, Duration::MAX); 3];
    let mut units = [0; 3];
    let mut busiest = [Duration::MAX; 3];
    let elf = common::program("busy");
    for _ in 0..rounds {
        for way in 0..ways.len() {
            let (whole, sent, consumed) = round(way);
            least[way] = (least[way].0.min(whole), least[way].1.min(sent));
            units[way] = consumed;
            busiest[way] = busiest[way].min(busy(way, &elf));
        }
    }
    assert!(units.iter().all(|&of_way| of_way == units[0]), "{units:?}");
    println!(
        "{} compute units; milliseconds with the machine and the file, of the transactions, of the busy one",
        units[0]
    );
    for ((way, (whole, sent)), busy) in ways.iter().zip(least).zip(busiest) {
        let ratio = |of: Duration, plain: Duration| of.as_secs_f64() / plain.as_secs_f64();
        println!(
            "{way:28} {:7.1} ({:.2} times) {:7.1} ({:.2} times) {:7.1} ({:.2} times)",
            1e3 * whole.as_secs_f64(),
            ratio(whole, least[0].0),
            1e3 * sent.as_secs_f64(),
            ratio(sent, least[0].1),
            1e3 * busy.as_secs_f64(),
            ratio(busy, busiest[0])
        );
    }
}
