//! The C programs of tests/programs, compiled by clang and linked for Solana's VM.

use {
    sbpf_linker::{link_program, OptimizationConfig, ProgramOptions, SbpfArch, SbpfLinkerError},
    std::{path::Path, process::Command},
};

/// The linker refuses the names of syscalls that it does not know. So others stand in for ours until
/// it is done: longer ones, for they are replaced in place.
const STAND_INS: [(&str, &str); 2] = [
    ("sol_log_compute_units_start", "sol_get_processed_sibling_instruction"),
    ("sol_log_compute_units_end", "sol_get_epoch_schedule_sysvar"),
];

fn compile(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("clang")
        .args(["-target", "bpf", "-mcpu=v2", "-O2", "-Wall", "-Werror", "-fno-builtin"])
        .args(STAND_INS.map(|(ours, other)| format!("-D{ours}={other}")))
        .arg("-I")
        .arg(root.join("guest"))
        .arg("-c")
        .arg(root.join("tests/programs").join(name).with_extension("c"))
        .args(["-o", "-"])
        .output()
        .expect("clang is needed; Debian's package clang brings it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn rename(elf: &mut [u8], from: &str, to: &str) {
    let found: Vec<_> = elf
        .windows(from.len())
        .enumerate()
        .filter(|(_, w)| *w == from.as_bytes())
        .map(|(i, _)| i)
        .collect();
    for at in found {
        elf[at..at + from.len()].fill(0);
        elf[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
}

/// The ELF file of tests/programs/NAME.c.
pub fn program(name: &str) -> Vec<u8> {
    program_of(name, SbpfArch::V0)
}

/// The same for another version of Solana's VM. Its system calls must be those that the linker knows.
#[allow(dead_code)] // not all tests need it
pub fn program_of(name: &str, arch: SbpfArch) -> Vec<u8> {
    let options = ProgramOptions::new(OptimizationConfig::default(), arch, 4096);
    let mut elf = link_program(&compile(name), options)
        .unwrap_or_else(|errors| panic!("{}", SbpfLinkerError::format_errors(&errors)));
    for (ours, other) in STAND_INS {
        rename(&mut elf, other, ours);
    }
    elf
}
