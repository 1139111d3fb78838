// recipe.mjs DOCS DIR - makes of the recipe for traces in DOCS (docs/solana.md) what it says: DIR/run.mjs, with
// a program, an account and a transaction where it leaves them out, and DIR/commands.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const [docs, dir] = process.argv.slice(2);
const recipe = readFileSync(docs, "utf8").split("### In JavaScript, by hand\n")[1].split("\n## ")[0];
const [, script] = /```js\n([^]*?)```/.exec(recipe);
const [, commands] = /```sh\n(SBF_TRACE_DIR=[^]*?)```/.exec(recipe);
const gap = "// ... programs, accounts, a signed transaction\n";
assert.ok(script.includes(gap), "the recipe has no gap to fill");
writeFileSync(`${dir}/run.mjs`, script.replace(gap, `
const { writeFileSync } = await import("node:fs");
const kit = await import("@solana/kit");
const { call, exit, mov, program } = await import("../program.mjs");
const programAddress = kit.getAddressDecoder().decode(new Uint8Array(32).fill(9));
const code = [call(2), mov(0, 0), exit, mov(1, 1), exit];
const functions = [{ name: "entrypoint", pc: 0, size: 3 }, { name: "helper", pc: 3, size: 2 }];
svm.addProgram(programAddress, program(code));
writeFileSync("program.so", program(code, functions));
writeFileSync("stripped.so", program(code));
writeFileSync("other.so", program([mov(1, 1), ...code], functions));
writeFileSync("id", programAddress);
const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
const transaction = await kit.signTransactionMessageWithSigners(kit.pipe(
  kit.createTransactionMessage({ version: 0 }),
  m => kit.setTransactionMessageFeePayerSigner(payer, m),
  m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
  m => kit.appendTransactionMessageInstructions([{ programAddress }], m),
));
`));
const id = "$(cat id)", elf = "target/sbpf-solana-solana/release/program.so";
assert.ok(commands.includes(`PROGRAM_ID=${elf}`), "the recipe names another ELF file than expected");
writeFileSync(`${dir}/commands`, commands.replace(`PROGRAM_ID=${elf}`, `${id}=program.so`).replace(/^toll /m, '"$TOLL" '));
