//! Programs of SBPF v0 and v3 as files of another version: no linker writes v1, v2 and v4, but Solana's virtual machine runs them.

/// The opcodes of v2 (SIMD-0173) for those of v0 that read and write memory.
const V2_MEMORY: [(u8, u8); 12] = [
    (0x71, 0x2c), // ldxb
    (0x69, 0x3c), // ldxh
    (0x61, 0x8c), // ldxw
    (0x79, 0x9c), // ldxdw
    (0x72, 0x27), // stb
    (0x6a, 0x37), // sth
    (0x62, 0x87), // stw
    (0x7a, 0x97), // stdw
    (0x73, 0x2f), // stxb
    (0x6b, 0x3f), // stxh
    (0x63, 0x8f), // stxw
    (0x7b, 0x9f), // stxdw
];

fn number(file: &[u8], at: usize, size: usize) -> usize {
    file[at..at + size].iter().rev().fold(0, |sum, byte| sum << 8 | *byte as usize)
}

/// Where the section .text is: its offset in the file and its size.
fn text(file: &[u8]) -> (usize, usize) {
    let (sections, count, names) = (number(file, 40, 8), number(file, 60, 2), number(file, 62, 2));
    let header = |i: usize| sections + 64 * i;
    let strings = number(file, header(names) + 24, 8);
    let is_text = |i: &usize| file[strings + number(file, header(*i), 4)..].starts_with(b".text\0");
    let found = header((0..count).find(is_text).expect("there is no section .text"));
    (number(file, found + 24, 8), number(file, found + 32, 8))
}

/// Makes the file one of SBPF `version`. Of the instructions that v2 writes otherwise, those of memory are translated; a program
/// with others (a constant of 64 bits, products) is refused by the verifier.
pub fn become_version(file: &mut [u8], version: u8) {
    file[48..52].copy_from_slice(&[version, 0, 0, 0]); // e_flags
    let (at, size) = text(file);
    for instruction in file[at..at + size].chunks_mut(8).filter(|_| version == 2) {
        if let Some((_, new)) = V2_MEMORY.iter().find(|(old, _)| *old == instruction[0]) {
            instruction[0] = *new;
        }
    }
}
