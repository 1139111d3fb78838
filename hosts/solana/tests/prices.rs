//! Programs that make one system call each, run with their registers traced: tests/crate/prices.mjs writes
//! them into the folder TOLL_PRICES, and then compares what was charged with the prices that Toll gives.
//! For case N of a machine there are the folder MACHINE-N of its traces, and MACHINE-N.log: what the
//! transaction was charged, its error if it failed, and its log. The file recorded.pb.gz is what toll-svm
//! has recorded of all of them, by the runtime's meter.

use {
    litesvm::LiteSVM,
    mollusk_svm::{program as programs, program::loader_keys, Mollusk},
    solana_account::Account,
    solana_instruction::{AccountMeta, Instruction},
    solana_keypair::Keypair,
    solana_pubkey::Pubkey,
    solana_signer::Signer,
    solana_svm_log_collector::LogCollector,
    solana_transaction::Transaction,
    std::{
        env, fs,
        path::{Path, PathBuf},
    },
};

const CALLEE: Pubkey = Pubkey::new_from_array([7; 32]);
const DATA: Pubkey = Pubkey::new_from_array([8; 32]);
const COMPUTE_BUDGET: Pubkey =
    Pubkey::from_str_const("ComputeBudget111111111111111111111111111111");
const LAMPORTS: u64 = 10_000_000_000;
const UNITS: u32 = 1_000_000;

/// A line of the file `cases`: ID OWNED KEY:FLAGS...
struct Case {
    elf: Vec<u8>,
    owned: usize, // bytes of the account DATA
    instruction: Instruction,
}

impl Case {
    fn new(folder: &Path, number: usize, line: &str) -> Case {
        let mut words = line.split(' ');
        let program_id = key(words.next().unwrap());
        let owned = words.next().unwrap().parse().unwrap();
        let accounts = words.map(account).collect();
        let elf = fs::read(folder.join(format!("{number}.so"))).unwrap();
        Case { elf, owned, instruction: Instruction { program_id, accounts, data: vec![] } }
    }

    fn data(&self) -> Account {
        Account { lamports: LAMPORTS, data: vec![0; self.owned], ..Account::default() }
    }
}

fn key(hex: &str) -> Pubkey {
    let byte = |i: usize| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap();
    Pubkey::new_from_array(std::array::from_fn(byte))
}

fn account(word: &str) -> AccountMeta {
    let (hex, flags) = word.split_once(':').unwrap();
    AccountMeta {
        pubkey: key(hex),
        is_writable: flags.contains('w'),
        is_signer: flags.contains('s'),
    }
}

struct Outcome {
    charged: u64,
    error: String,
    logs: Vec<String>,
}

fn payer() -> Keypair {
    Keypair::new_from_array([1; 32])
}

fn lite(callee: &[u8]) -> impl FnMut(&Case) -> Outcome {
    let mut svm = LiteSVM::new();
    svm.add_program(CALLEE, callee).unwrap();
    svm.airdrop(&payer().pubkey(), LAMPORTS).unwrap();
    toll_svm::record(&mut svm);
    let data = [&[2][..], &UNITS.to_le_bytes()].concat();
    let limit = Instruction { program_id: COMPUTE_BUDGET, accounts: vec![], data };
    move |case| {
        svm.add_program(case.instruction.program_id, &case.elf).unwrap();
        svm.set_account(DATA, case.data()).unwrap();
        let transaction = Transaction::new_signed_with_payer(
            &[limit.clone(), case.instruction.clone()],
            Some(&payer().pubkey()),
            &[payer()],
            svm.latest_blockhash(),
        );
        let (meta, error) = match svm.send_transaction(transaction) {
            Ok(meta) => (meta, String::new()),
            Err(failed) => (failed.meta, failed.err.to_string()),
        };
        Outcome { charged: meta.compute_units_consumed, error, logs: meta.logs }
    }
}

fn moll(callee: &[u8], mut mollusk: Mollusk) -> impl FnMut(&Case) -> Outcome {
    let loader = loader_keys::LOADER_V3;
    mollusk.program_cache.add_program(&CALLEE, &loader, callee);
    toll_svm::mollusk(&mut mollusk);
    move |case| {
        mollusk.program_cache.add_program(&case.instruction.program_id, &loader, &case.elf);
        let log = LogCollector::new_ref_with_limit(None);
        mollusk.logger = Some(log.clone());
        let accounts = [
            (payer().pubkey(), Account { lamports: LAMPORTS, ..Account::default() }),
            (DATA, case.data()),
            (CALLEE, programs::create_program_account_loader_v3(&CALLEE)),
            programs::keyed_account_for_system_program(),
        ];
        let result = mollusk.process_instruction(&case.instruction, &accounts);
        let error = result.raw_result.err().map(|e| e.to_string()).unwrap_or_default();
        let logs = log.borrow().get_recorded_content().to_vec();
        Outcome { charged: result.compute_units_consumed, error, logs }
    }
}

/// A machine whose every figure is another one than agave's, and the file of `--costs` that says so.
fn own(costs: &Path) -> Mollusk {
    let mut mollusk = Mollusk::default();
    let mut figures = Vec::new();
    macro_rules! change {
        ($($figure:ident)*) => {
            $(
                mollusk.compute_budget.$figure += 1 + figures.len() as u64;
                let name = stringify!($figure);
                figures.push(format!("\"{name}\": {}", mollusk.compute_budget.$figure));
            )*
        };
    }
    change!(
        log_64_units create_program_address_units invoke_units sha256_base_cost sha256_byte_cost
        log_pubkey_units cpi_bytes_per_unit sysvar_base_cost secp256k1_recover_cost syscall_base_cost
        curve25519_edwards_validate_point_cost curve25519_edwards_add_cost
        curve25519_edwards_subtract_cost curve25519_edwards_multiply_cost
        curve25519_edwards_msm_base_cost curve25519_edwards_msm_incremental_cost
        curve25519_ristretto_validate_point_cost curve25519_ristretto_add_cost
        curve25519_ristretto_subtract_cost curve25519_ristretto_multiply_cost
        curve25519_ristretto_msm_base_cost curve25519_ristretto_msm_incremental_cost heap_cost
        mem_op_base_cost alt_bn128_g1_addition_cost alt_bn128_g2_addition_cost
        alt_bn128_g1_multiplication_cost alt_bn128_g2_multiplication_cost
        alt_bn128_pairing_one_pair_cost_first alt_bn128_pairing_one_pair_cost_other
        poseidon_cost_coefficient_a poseidon_cost_coefficient_c get_remaining_compute_units_cost
        alt_bn128_g1_compress alt_bn128_g1_decompress alt_bn128_g2_compress alt_bn128_g2_decompress
        bls12_381_g1_add_cost bls12_381_g2_add_cost bls12_381_g1_subtract_cost
        bls12_381_g2_subtract_cost bls12_381_g1_multiply_cost bls12_381_g2_multiply_cost
        bls12_381_g1_decompress_cost bls12_381_g2_decompress_cost bls12_381_g1_validate_cost
        bls12_381_g2_validate_cost bls12_381_one_pair_cost bls12_381_additional_pair_cost
    );
    let text = format!("{{ \"runtime\": \"our own\", \"costs\": {{ {} }} }}\n", figures.join(", "));
    fs::write(costs, text).unwrap();
    mollusk
}

fn run(folder: &Path, machine: &str, cases: &[Case], mut execute: impl FnMut(&Case) -> Outcome) {
    let traces = PathBuf::from(env::var_os("SBF_TRACE_DIR").expect("where to write traces"));
    for (number, case) in cases.iter().enumerate() {
        let outcome = execute(case);
        let place = folder.join(format!("{machine}-{number}"));
        fs::rename(&traces, &place).unwrap_or_else(|e| panic!("{machine}, {number}: {e}"));
        let text = format!("{}\n{}\n{}", outcome.charged, outcome.error, outcome.logs.join("\n"));
        fs::write(place.with_extension("log"), text).unwrap();
    }
}

#[test]
fn each_system_call_on_each_machine() {
    let Some(folder) = env::var_os("TOLL_PRICES").map(PathBuf::from) else {
        println!("not run: TOLL_PRICES names no folder of programs");
        return;
    };
    let lines = fs::read_to_string(folder.join("cases")).unwrap();
    let cases: Vec<_> =
        lines.lines().enumerate().map(|(i, line)| Case::new(&folder, i, line)).collect();
    let callee = fs::read(folder.join("callee.so")).unwrap();
    toll_svm::record_functions(true);
    run(&folder, "litesvm", &cases, lite(&callee));
    run(&folder, "mollusk", &cases, moll(&callee, Mollusk::default()));
    run(&folder, "own", &cases, moll(&callee, own(&folder.join("own.json"))));
    toll_svm::write(folder.join("recorded.pb.gz")).unwrap();
}
