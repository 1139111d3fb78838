//! The budgets of a program in compute units, which are in swap.budget. CHANGE=1 simulates an edit
//! that increases the cost.

use {
    mollusk_svm::{program::loader_keys, Mollusk},
    sbpf_linker::{link_program, OptimizationConfig, ProgramOptions, SbpfArch, SbpfLinkerError},
    solana_instruction::Instruction,
    solana_pubkey::Pubkey,
    std::{env, path::Path, process::Command},
};

const SWAP: Pubkey = Pubkey::new_from_array([7; 32]);

/// swap.c, compiled for Solana's VM. In your project, this is the file that `cargo build-sbf`
/// writes to target/deploy.
fn program() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut clang = Command::new("clang");
    clang.args(["-target", "bpf", "-mcpu=v3", "-O2", "-fno-builtin", "-I"]).arg(root.join("../../../hosts/solana/guest"));
    if env::var_os("CHANGE").is_some() {
        clang.arg("-DCHANGE");
    }
    let output = clang.args(["-o", "-", "-c"]).arg(root.join("tests/swap.c")).output().expect("clang is needed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    link_program(&output.stdout, ProgramOptions::new(OptimizationConfig::default(), SbpfArch::V3, 4096))
        .unwrap_or_else(|errors| panic!("{}", SbpfLinkerError::format_errors(&errors)))
}

#[test]
fn a_swap_costs_what_it_may() {
    let mut mollusk = Mollusk::default();
    toll_svm::mollusk(&mut mollusk);
    mollusk.program_cache.add_program(&SWAP, &loader_keys::LOADER_V3, &program());
    let instruction = Instruction { program_id: SWAP, accounts: vec![], data: b"100 for 3".to_vec() };
    let result = mollusk.process_instruction(&instruction, &[]);
    assert!(result.program_result.is_ok(), "{:?}", result.program_result);

    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("swap.pb.gz");
    toll_svm::write(&profile).unwrap();
    let output = Command::new("toll")
        .args(["check", "--budget", "swap.budget"])
        .arg(profile)
        .output()
        .expect("toll has to be on the PATH");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
