// price_cases.mjs - every system call that Solana's VM has, with many arguments, each in a program of its own between two
// sol_log_compute_units_. prices.mjs runs them on npm's litesvm, tests/crate/prices.mjs on the runtimes of Rust; price_judge.mjs holds
// what was charged to what Toll says.
import { createPrivateKey, createPublicKey } from "node:crypto";
import { add, copy, exit, insn, load, mov, program, store, syscall } from "./program.mjs";

export const UNITS = "sol_log_compute_units_";
const STACK = 10;
const put = (off, imm) => insn(0x7a, { dst: STACK, off, imm }); // *(u64 *)(r10 + off) = imm
const putByte = (off, imm) => insn(0x72, { dst: STACK, off, imm });
const loadByte = (dst, src, off) => insn(0x71, { dst, src, off });
const stack = (reg, off) => [copy(reg, STACK), add(reg, off)];
export const flat = code => code.flat(Infinity);
export const cases = [];
/** `before` is code; then `call` with its arguments `args` (numbers, or code), and `after` it. `open`: its price is not in the
 * trace, so that it is only what it costs at least. */
const one = (name, args = [], { before = [], after = [], open = false, accounts = [] } = {}) => cases.push({ name, before, after, open, accounts,
  args: args.map((a, i) => (typeof a === "number" ? mov(i + 1, a) : a(i + 1))) });
const at = off => reg => stack(reg, off);
/** Slices {address, length} at r10 + off, of the stack at r10 - 4000. */
const slices = (off, lengths) => lengths.map((n, i) => [stack(6, -4000), store(STACK, off + i * 16, 6), put(off + i * 16 + 8, n)]);

for (const n of [0, 1, 99, 100, 101, 1000]) one("sol_log_", [at(-4000), n]);
one("sol_log_64_", [1, 2, 3, 4, 5]);
one("sol_log_pubkey", [at(-64)]);
one("sol_log_compute_units_");
one("sol_remaining_compute_units");
one("sol_get_stack_height");
one("sol_get_processed_sibling_instruction", [0, at(-64), at(-128), at(-256), at(-512)]);
for (const lengths of [[], [0], [7], [32, 100, 1000], [1, 2, 3, 4, 5, 6, 7, 8]])
  one("sol_log_data", [at(-512), lengths.length], { before: slices(-512, lengths) });
for (const name of ["sol_sha256", "sol_keccak256", "sol_blake3", "sol_sha512"])
  for (const lengths of [[], [0], [19], [20], [22], [23], [1000], [32, 32, 2000]])
    one(name, [at(-512), lengths.length, at(-64)], { before: slices(-512, lengths) });
// The slices are copied to where they are read, their lengths stored by halves and through another address.
one("sol_sha256", [at(-512), 1, at(-64)], { before: [slices(-300, [700]), stack(1, -512), stack(2, -300), mov(3, 16), syscall("sol_memcpy_")] });
one("sol_sha256", [at(-512), 1, at(-64)], { before: [slices(-512, [99]), insn(0x62, { dst: STACK, off: -504, imm: 300 }), insn(0x62, { dst: STACK, off: -500 })] });
one("sol_sha256", [at(-512), 1, at(-64)], { before: [slices(-512, [99]), stack(1, -4096), insn(0x7a, { dst: 1, off: 4096 - 504, imm: 222 })] });
// A length that a system call wrote is in no store.
one("sol_sha256", [at(-512), 1, at(-64)], { open: true, before: [slices(-512, [99]), stack(1, -508), mov(2, 4), copy(3, 1), mov(2, 0), syscall("sol_get_return_data")] });
one("sol_sha256", [at(-512), 1, at(-64)], { before: [slices(-512, [99]), stack(1, -504), mov(2, 0), mov(3, 8), syscall("sol_memset_")] });

const seeds = n => [putByte(-4000, n), slices(-512, [5, 7])];
for (let n = 0; n < 6; n++) {
  one("sol_try_find_program_address", [at(-512), 2, at(-200), at(-100), at(-33)], { before: seeds(n), after: [loadByte(1, STACK, -33)] });
  one("sol_create_program_address", [at(-512), 2, at(-200), at(-100)], { before: seeds(n) });
}
const found = { before: seeds(2) };
one("sol_try_find_program_address", [at(-512), 2, at(-200), at(-100), at(-33)], { ...found, after: [load(1, STACK, -40)] });
one("sol_try_find_program_address", [at(-512), 2, at(-200), at(-100), at(-33)], { ...found,
  after: [stack(1, -160), stack(2, -64), mov(3, 40), syscall("sol_memcpy_"), loadByte(1, STACK, -129)] });
one("sol_try_find_program_address", [at(-512), 2, at(-200), at(-100), at(-33)], { ...found, open: true });
one("sol_try_find_program_address", [at(-512), 2, at(-200), at(-100), at(-33)], { ...found, open: true, after: [putByte(-33, 9), loadByte(1, STACK, -33)] });

one("sol_secp256k1_recover", [at(-64), 0, at(-128), at(-256)]);
const curves = [0, 1, 5, 6, 0x85, 0x86];
for (const curve of curves) {
  one("sol_curve_validate_point", [curve, at(-512)]);
  for (const op of [0, 1, 2]) one("sol_curve_group_op", [curve, op, at(-512), at(-1024), at(-2048)]);
  if (curve > 1) one("sol_curve_decompress", [curve, at(-512), at(-1024)]);
}
for (const curve of [0, 1]) for (const n of [0, 1, 2, 7]) one("sol_curve_multiscalar_mul", [curve, at(-512), at(-1024), n, at(-2048)]);
for (const curve of [4, 0x84]) for (const n of [1, 2, 3]) one("sol_curve_pairing_map", [curve, n, at(-1024), at(-2048), at(-3000)]);
for (const op of [0, 2, 4, 6, 0x80, 0x82, 0x84, 0x86]) one("sol_alt_bn128_group_op", [op, at(-512), 128, at(-1024)]);
for (const op of [3, 0x83]) for (const n of [0, 192, 384, 200]) one("sol_alt_bn128_group_op", [op, at(-1024), n, at(-2048)]);
for (const op of [0, 1, 2, 3, 0x80, 0x81, 0x82, 0x83]) one("sol_alt_bn128_compression", [op, at(-512), [64, 32, 128, 64][op & 3], at(-1024)]);
for (const order of [0, 1]) for (const n of [1, 2, 3, 12]) one("sol_poseidon", [0, order, at(-512), n, at(-64)], { before: slices(-512, Array(n).fill(32)) });
const numbers = (base, exponent, modulus, stored) => ({ before: [
  [0, 16, 32].map((off, i) => [stack(6, -3000 + i * 600), store(STACK, -512 + off, 6)]),
  put(-504, base), put(-488, exponent), put(-472, modulus), stored, putByte(-1800, 7)] });
for (const [base, exponent, modulus] of [[32, 32, 32], [8, 32, 64], [100, 16, 512], [65, 40, 65]]) {
  const zeros = Array.from({ length: exponent / 8 }, (_, i) => put(-2400 + i * 8, 0));
  one("sol_big_mod_exp", [at(-512), at(-1200)], numbers(base, exponent, modulus, [zeros, put(-2400, 1)]));
  one("sol_big_mod_exp", [at(-512), at(-1200)], numbers(base, exponent, modulus, [zeros, put(-2400 + exponent - 8, 0x10000)]));
  one("sol_big_mod_exp", [at(-512), at(-1200)], { ...numbers(base, exponent, modulus, zeros.slice(1)), open: true });
}
for (const n of [0, 1, 249, 250, 1800]) {
  one("sol_memcpy_", [at(-4000), at(-2000), n]);
  one("sol_memmove_", [at(-4000), at(-3900), n]);
  one("sol_memset_", [at(-4000), 1, n]);
  one("sol_memcmp_", [at(-4000), at(-2000), n, at(-8)]);
}
const heap = reg => insn(0x18, { dst: reg, imm: 0 }), upper = imm => insn(0, { imm }); // 0x3_0000_0000
for (const n of [2499, 2500, 2749, 2750, 30000]) one("sol_memset_", [reg => [heap(reg), upper(3)], 1, n]);
for (const name of ["clock", "epoch_schedule", "fees", "rent", "epoch_rewards"]) one(`sol_get_${name}_sysvar`, [at(-128)]);
one("sol_get_last_restart_slot", [at(-128)]);
for (const n of [0, 40, 2499, 2500, 2750]) one("sol_get_sysvar", [at(-4000), at(-3900), 0, n]);
one("sol_get_epoch_stake", [0]);
one("sol_get_epoch_stake", [at(-64)]);
for (const n of [0, 1, 249, 250, 1024]) {
  one("sol_set_return_data", [at(-4000), n]);
  for (const most of [0, 32, 217, 218, 2000])
    one("sol_get_return_data", [at(-4000), most, at(-64)], { before: [stack(1, -4000), mov(2, n), syscall("sol_set_return_data")] });
}
one("sol_get_return_data", [at(-4000), 100, at(-64)]);
one("sol_alloc_free_", [100, 0]);

// Programs that are invoked: by C's and Rust's interface, with `infos` accounts and `size` bytes of data. r9 is the program's
// input: one account (key at 16, owner at 48, lamports at 80, length of data at 88, data at 96), and the program at the end.
const place = (off, from, distance) => [copy(6, from), add(6, distance), store(STACK, off, 6)];
const infoOfC = i => { const off = -2000 + i * 56; return [place(off, 9, 16), place(off + 8, 9, 80), load(6, 9, 88), store(STACK, off + 16, 6),
  place(off + 24, 9, 96), place(off + 32, 9, 48), put(off + 40, 0), put(off + 48, 0)]; };
const infoOfRust = i => { const off = -2000 + i * 48; return [place(off, 9, 16), place(off + 8, STACK, -2800), place(off + 16, STACK, -2904),
  place(off + 24, 9, 48), put(off + 32, 0), put(off + 40, 0)]; };
const cells = [put(-2800, 1), put(-2792, 1), put(-2784, 0), place(-2776, 9, 80), // Rc<RefCell<&mut u64>>
  put(-2904, 1), put(-2896, 1), put(-2888, 0), place(-2880, 9, 96), load(6, 9, 88), store(STACK, -2872, 6)]; // Rc<RefCell<&mut [u8]>>
const bytes = (byte, size = 32) => Buffer.alloc(size, byte);
/** The public key of the Ed25519 key pair with this seed. */
const publicKey = seed => createPublicKey(createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
  format: "der", type: "pkcs8" })).export({ format: "der", type: "spki" }).subarray(-32);
/** Who pays and signs; the program that is invoked; an account with `owned` bytes of data; the System program. */
export const payerSeed = bytes(1), payer = publicKey(payerSeed), callee = bytes(7), data = bytes(8), system = bytes(0);
/** The program that is invoked. */
export const calleeProgram = program([mov(1, 1), mov(0, 0), exit]);
const writes = (off, list) => [...list].map((byte, i) => putByte(off + i, byte));
for (const [name, target] of [["callee", callee], ["system", system]])
  for (const [infos, metas, size, owned] of [[0, 0, 0, 0], [1, 1, 12, 100], [4, 2, 300, 250], [7, 8, 600, 249], [1, 2, 1000, 100_000]]) {
    if (name === "system" && (metas < 2 || owned >= 250)) continue;
    // The System program transfers nothing from an account to itself, which has no data.
    const isSystem = name === "system", signs = isSystem ? 0x101 : 0; // is_signer, is_writable
    const accounts = [{ key: isSystem ? payer : data, isWritable: true, isSigner: isSystem }, { key: target, isWritable: false, isSigner: false }];
    const transfer = writes(-4000, isSystem ? [2, ...bytes(0, 11)] : []);
    const c = [writes(-3104, target), place(-600, STACK, -3104), place(-592, STACK, -3600), put(-584, metas), place(-576, STACK, -4000), put(-568, size),
      Array.from({ length: metas }, (_, i) => [place(-3600 + i * 16, 9, 16), put(-3592 + i * 16, signs)]),
      Array.from({ length: infos }, (_, i) => [infoOfC(i), isSystem ? put(-2000 + i * 56 + 48, signs) : []])];
    const rust = [place(-600, STACK, -3600), put(-592, metas), put(-584, metas), place(-576, STACK, -4000), put(-568, size), put(-560, size),
      writes(-552, target), cells,
      Array.from({ length: metas }, (_, i) => [[0, 8, 16, 24].map(k => [load(6, 9, 16 + k), store(STACK, -3600 + i * 34 + k, 6)]),
        insn(0x6a, { dst: STACK, off: -3600 + i * 34 + 32, imm: signs })]),
      Array.from({ length: infos }, (_, i) => [infoOfRust(i), isSystem ? put(-2000 + i * 48 + 40, signs) : []])];
    for (const [abi, code] of [["c", c], ["rust", rust]]) {
      one(`sol_invoke_signed_${abi}`, [at(-600), at(-2000), infos, 0, 0], { before: [transfer, code], accounts, open: true });
      Object.assign(cases.at(-1), { owned, invoked: name });
    }
  }

for (const [i, c] of cases.entries()) c.id = bytes(9).fill(i, 30).fill(i >> 8, 31);
/** The program of a case; r9 has its input. */
export const programOf = ({ before, args, name, after }) =>
  program(flat([copy(9, 1), before, syscall(UNITS), args, syscall(name), syscall(UNITS), after, mov(0, 0), exit]));
