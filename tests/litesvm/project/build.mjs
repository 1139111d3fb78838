// build.mjs - makes the files of a program like cargo build-sbf: stripped in target/deploy, unstripped in cargo's own
// folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { call, exit, mov, program, syscall } from "./program.mjs";
import { address } from "./world.cjs";

// entrypoint calls helper, which calls a syscall of 100 CU; the result is the first byte of the data.
const code = [call(2), mov(0, 0), exit, syscall("sol_log_compute_units_"), mov(1, 1), exit];
const functions = [{ name: "entrypoint", pc: 0, size: 3 }, { name: "helper", pc: 3, size: 3 }];
for (const folder of ["target/deploy", "target/idl", "target/sbpf-solana-solana/release"]) mkdirSync(folder, { recursive: true });
writeFileSync("target/deploy/small.so", program(code));
writeFileSync("target/sbpf-solana-solana/release/small.so", program(code, functions));
const failing = [mov(0, 7), exit];
writeFileSync("failing.so", program(failing, [{ name: "entrypoint", pc: 0, size: 2 }]));
writeFileSync("target/deploy/other.so", program([mov(2, 2), mov(0, 0), exit]));
writeFileSync("target/sbpf-solana-solana/release/other.so", program([mov(0, 0), exit], functions.slice(0, 1)));

// As anchor build describes it; and one that is none.
writeFileSync("target/idl/small.json", JSON.stringify({
  address: address(9), metadata: { name: "small", version: "0.1.0", spec: "0.1.0" },
  instructions: [{ name: "take_note", discriminator: [2], accounts: [], args: [] }],
}));
writeFileSync("target/idl/torn.json", "{");
