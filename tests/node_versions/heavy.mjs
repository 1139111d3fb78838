// heavy.mjs TOLL BUILD - a guest that reads much while its memory grows, the command itself in WebAssembly, several times
// under each version of Node: each profile is complete, and all have the same stacks, calls and ticks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const VERSIONS = [18, 20, 22, 24], RUNS = 3, STACKS = 80_000;
const [toll, build] = process.argv.slice(2).map(name => path.resolve(name));
const guest = path.join(build, "lib/litesvm/toll-command.wasm");
const nodeOf = version => path.join(build, "node_versions/node_modules", `node${version}`, "bin/node");

const skipped = why => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
if (!fs.existsSync(guest)) skipped("toll-command.wasm was not built");
const missing = VERSIONS.find(version => !fs.existsSync(nodeOf(version)));
if (missing) skipped(`there is no Node ${missing}; the test node/setup tells why`);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-heavy-"));
process.chdir(folder);

/** Stacks of 3 to 12 frames, and their sum. */
function writeStacks(file) {
  let state = 1, sum = 0;
  const below = n => (state = (state * 48271) % 2147483647) % n; // Lehmer's generator
  const lines = Array.from({ length: STACKS }, () => {
    const frames = Array.from({ length: 3 + below(10) }, () => `f${below(3000)}`), value = 1 + below(1000);
    sum += value;
    return `${frames.join(";")} ${value}\n`;
  });
  fs.writeFileSync(file, lines.join(""));
  return sum;
}

function command(args, env = {}) {
  const { status, signal, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 30 });
  assert.equal(status, 0, `toll ${args[0]}: ${signal ?? status}: ${stderr}`);
  return stdout;
}

const sum = writeStacks("heavy.folded"), reports = new Set(), profiles = new Set();
for (const version of VERSIONS) {
  for (let run = 0; run < RUNS; run++) {
    fs.rmSync("p.pb.gz", { force: true });
    const what = ["run", "-q", "--clock", "none", "--dir", ".", "-o", "p.pb.gz", guest, "report", "--json", "heavy.folded"];
    reports.add(command(what, { TOLL_NODE: nodeOf(version) }));
    command(["check", "p.pb.gz"]);
    const stacks = value => command(["convert", "-q", "--keep-all", "--to", "folded", "--value", value, "p.pb.gz", "-o", "-"]);
    profiles.add(stacks("ticks") + stacks("calls"));
    assert.equal(reports.size, 1, `what it prints under Node ${version}`);
    assert.equal(profiles.size, 1, `its stacks under Node ${version}`);
  }
  console.log(`Node ${version}: ${RUNS} equal profiles`);
}
assert.equal(JSON.parse([...reports][0]).total, sum);
fs.rmSync(folder, { recursive: true });
