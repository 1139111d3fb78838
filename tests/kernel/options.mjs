// options.mjs LIB TOLL EXAMPLES - the options of toll run --kernel: what the kernel sees, and the messages about wrong
// ones.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { test } from "node:test";
import { blake2b, hex, load } from "./host.mjs";

const [, , , toll, examples] = process.argv;
const arguments_ = (file, inbox, more) => ["run", "--kernel", "--inbox", inbox, "-o", "options.pb.gz", ...more, file];

function run(file, inbox, ...more) {
  const { status, stdout, stderr } = spawnSync(toll, arguments_(file, inbox, more), { encoding: "utf8", timeout: 60000 });
  return { status, stdout, stderr };
}

const lines = ({ stdout }) => stdout.split("\n").filter(line => line.startsWith("{")).map(line => JSON.parse(line));
const write = (name, levels) => (fs.writeFileSync(name, JSON.stringify(levels)), name);
const slices = path.join(examples, "slices.json"), ledger = path.join(examples, "ledger.json");

test("--show: inbox, outbox, store and keys at the end of each level, as JSON", () => {
  const shown = lines(run("ledger.wasm", ledger, "--show", "outbox", "--show", "inbox", "--show", "/transfers", "--show", "/accounts", "--show", "store"));
  assert.deepEqual(shown.map(({ level }) => level), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  const [outbox, inbox, transfers, accounts, { store }] = shown;
  assert.deepEqual([outbox.outbox.length, outbox.outbox[0].slice(0, 4), inbox.inbox[0], inbox.inbox.at(-1)], [1, "0x4c", "0x0001", "0x0002"]);
  assert.deepEqual(transfers, { level: 0, key: "/transfers", value: store["/transfers"], below: [] });
  assert.equal(accounts.value, null);
  assert.deepEqual(accounts.below.map(name => `/accounts/${name}`), Object.keys(store).filter(key => key.startsWith("/accounts/")));
  assert.deepEqual(store["/kernel/boot.wasm"], { size: load("ledger").length }, "large values have their size");
  assert.equal(store["/readonly/wasm_version"], `0x${Buffer.from("2.0.0-r5").toString("hex")}`);
});

test("--show 'key KEY as KIND': the kinds of Octez' debugger", () => {
  const values = { short: "34120000", long: "ff".repeat(32), text: "c3a4220a", none: "", bad: "ff" };
  const set = Object.entries(values).map(([name, value]) => ({ set: { value, to: `/v/${name}` } }));
  fs.writeFileSync("kinds.json", JSON.stringify({ instructions: set }));
  const show = (...whats) => lines(run("slices.wasm", write("one.json", [[]]), "--installer-config", "kinds.json", ...whats.flatMap(what => ["--show", what])));
  const as = what => show(what)[0], line = (key, as, value, error) => ({ level: 0, key, as, value, ...(error && { error }), below: [] });
  assert.deepEqual(as("key /v/short as i32"), line("/v/short", "i32", "4660"));
  assert.deepEqual(as("key /v/short as int32"), line("/v/short", "int32", "4660"));
  assert.deepEqual(as("key /v/long as u256"), line("/v/long", "u256", (2n ** 256n - 1n).toString()));
  assert.deepEqual(as("key /v/short as u16"), line("/v/short", "u16", null, "u16 has 2 bytes, and the value has 4"));
  assert.deepEqual(as("key /v/text as string"), line("/v/text", "string", "ä\"\n"));
  assert.deepEqual(as("key /v/bad as string"), line("/v/bad", "string", null, "the value is not UTF-8"));
  assert.deepEqual(as("key /v/none as string"), line("/v/none", "string", ""));
  assert.deepEqual(as("key /v/text as hex"), line("/v/text", "hex", "0xc3a4220a"));
  assert.deepEqual(show("/v/text", "key /v/text", "key /v as i64"), [
    { level: 0, key: "/v/text", value: "0xc3a4220a", below: [] }, { level: 0, key: "/v/text", value: "0xc3a4220a", below: [] },
    { level: 0, key: "/v", as: "i64", value: null, below: ["bad", "long", "none", "short", "text"] }]);
});

test("--pvm-version, --installer-config and --rollup: the store and the metadata that the kernel reads", () => {
  fs.writeFileSync("config.yaml", "instructions:\n- set:\n    value: 0a0b\n    to: /config/key\n");
  const [store] = lines(run("slices.wasm", slices, "--pvm-version", "2.0.0-r1", "--installer-config", "config.yaml", "--show", "store"));
  assert.equal(store.store["/config/key"], "0x0a0b");
  assert.equal(Buffer.from(store.store["/readonly/wasm_version"].slice(2), "hex").toString(), "2.0.0-r1");
  // An address of Octez' own tests, with the bytes that its base58 has.
  const address = "sr1Ghq66tYK9y3r8CC1Tf8i8m5nxh8nTvZEf", [first] = lines(run("metadata.wasm", write("one.json", [[]]), "--rollup", address, "--show", "outbox"));
  assert.equal(first.outbox[0].length, 2 + 2 * 24);
  assert.equal(first.outbox[0].slice(-8), "00000000", "the level of the origination");
  const zero = lines(run("metadata.wasm", "one.json", "--show", "outbox"))[0].outbox[0];
  assert.equal(zero, `0x${"00".repeat(24)}`);
  assert.notEqual(first.outbox[0], zero);
  const [transfer] = lines(run("metadata.wasm", write("transfer.json", [[{ payload: "Unit" }]]), "--rollup", address, "--show", "inbox"));
  assert.equal(transfer.inbox[2].slice(-40), first.outbox[0].slice(2, 42), "transfers go to it");
});

test("a kernel's file may be hex; the text of a module is refused", () => {
  fs.writeFileSync("slices.hex", `${hex(load("slices"))}\n`);
  assert.match(run("slices.hex", slices, "--clock", "none").stderr, /^3 levels, 9 kernel_runs.*\n(.*\n)*? {4}in all +3,231,397 ticks$/m);
  fs.writeFileSync("wrong.hex", "00g1");
  assert.match(run("wrong.hex", slices).stderr, /toll: wrong.hex: is not hex/);
  fs.writeFileSync("text.wast", "(module)");
  assert.match(run("text.wast", slices).stderr, /toll: text.wast: is the text of a module; make the module first: wat2wasm --debug-names text.wast/);
});

test("--dal-pages-dir: pages by level, slot and page; an empty one was not attested", () => {
  fs.rmSync("pages", { recursive: true, force: true });
  fs.mkdirSync("pages");
  const missing = run("dal.wasm", "one.json", "--dal-pages-dir", "pages");
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /pages\/258-1-3: cannot be read \(ENOENT\).*write it there, or an empty file/);
  assert.match(run("dal.wasm", "one.json").stderr, /the page 258-1-3 \(level, slot, page\) .*give the folder that has it: --dal-pages-dir FOLDER/);
  fs.writeFileSync("pages/258-1-3", "page");
  assert.deepEqual(lines(run("dal.wasm", "one.json", "--dal-pages-dir", "pages", "--show", "outbox"))[0].outbox, [`0x${Buffer.from("page").toString("hex")}`]);
  fs.writeFileSync("pages/258-1-3", "");
  assert.deepEqual(lines(run("dal.wasm", "one.json", "--dal-pages-dir", "pages", "--show", "outbox"))[0].outbox, ["0x"]);
});

test("--preimage-endpoint: what is not in the folder is fetched into it, if it has the hash", async () => {
  const preimage = Buffer.from("\0a page of a file"), hash = Buffer.concat([Buffer.of(0), blake2b(preimage)]), asked = [];
  const server = http.createServer((request, answer) => {
    asked.push(request.url);
    if (request.url.startsWith("/none/")) answer.writeHead(404).end();
    else if (request.url.startsWith("/endless/")) {
      const more = () => answer.destroyed || answer.write("x".repeat(1 << 16), more);
      more();
    } else answer.end(request.url.startsWith("/wrong/") ? "other" : preimage);
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  fs.rmSync("preimages", { recursive: true, force: true });
  fs.mkdirSync("preimages");
  write("reveal.json", [[{ external: hex(hash) }]]);
  const fetching = (...more) => new Promise(done => {
    const child = spawn(toll, arguments_("reveal.wasm", "reveal.json", more)), texts = { stdout: "", stderr: "" };
    for (const [name, all] of Object.entries(texts)) child[name].on("data", data => (texts[name] += data)) && all;
    child.on("close", status => done({ status, ...texts }));
  });
  try {
    const none = await fetching("--preimages", "preimages", "--preimage-endpoint", `${endpoint}/none`);
    assert.equal(none.status, 1);
    assert.match(none.stderr, new RegExp(`/none/${hex(hash)}: cannot be fetched \\(status 404\\)`));
    assert.match((await fetching("--preimages", "preimages", "--preimage-endpoint", `${endpoint}/wrong/`)).stderr, /has the hash 00/);
    assert.match((await fetching("--preimages", "preimages", "--preimage-endpoint", `${endpoint}/endless`)).stderr, /has 4097 bytes; 4096 are allowed/);
    assert.deepEqual(fs.readdirSync("preimages"), [], "nothing wrong is kept");
    const { status, stderr } = await fetching("--preimages", "preimages", "--preimage-endpoint", endpoint);
    assert.equal(status, 0, stderr);
    assert.deepEqual(fs.readdirSync("preimages"), [hex(hash)]);
    assert.deepEqual(fs.readFileSync(`preimages/${hex(hash)}`), preimage);
    const before = asked.length;
    assert.equal((await fetching("--preimages", "preimages", "--preimage-endpoint", endpoint)).status, 0);
    assert.equal(asked.length, before, "it is in the folder now");
  } finally {
    server.close();
  }
});

/** Run a kernel that has as many functions under kernel_run as `counts` say, for each level. Returns its outputs. */
function deep(counts, ...more) {
  const bytes = count => Buffer.from(Uint32Array.of(count).buffer).toString("hex");
  const got = run("deep.wasm", write("levels.json", counts.map(count => [{ external: bytes(count) }])), ...more, "--show", "outbox");
  return { ...got, outputs: lines(got).map(({ outbox }) => outbox.length) };
}

test("at most 59,999 functions are open, as in the PVM; a run that calls one more traps, and the next one is as usual", () => {
  const { status, stderr, outputs } = deep([59998, 59999, 2]); // and kernel_run
  assert.equal(status, 134, stderr);
  assert.deepEqual(outputs, [1, 0, 1]);
  assert.equal([...stderr.matchAll(/trap: call stack exhausted: 59999 functions are open$/gm)].length, 1, stderr);
  assert.match(stderr, /^ {4}in descend$/m);
  assert.deepEqual(deep([298, 299], "--pvm-version", "2.0.0").outputs, [1, 0], "the first version has 299");
});

test("--frame-limit: the limit is exact, however events are delivered and stacks are kept", () => {
  const ways = [[], ["--clock", "none"], ["--clock", "each"], ["--max-depth", "0"], ["--max-depth", "7"], ["--call-lines"], ["--call-lines", "--clock", "none"],
    ["--timeline", "deep.json"], ["--fold-recursion"], ["--fold-recursion", "--clock", "none"]];
  for (const way of ways) {
    const { status, stderr, outputs } = deep([48, 49, 50, 2], "--frame-limit", "50", ...way);
    assert.equal(status, 134, stderr);
    assert.deepEqual(outputs, [1, 0, 0, 1], `${way}`);
    assert.equal([...stderr.matchAll(/trap: call stack exhausted: 49 functions are open$/gm)].length, 2, stderr);
    const calls = JSON.parse(spawnSync(toll, ["report", "--json", "--value", "calls", "options.pb.gz"], { encoding: "utf8" }).stdout);
    assert.equal(calls.functions.find(({ name }) => name === "kernel_run").calls, 4, `${way}`);
  }
  const ticks = more => /^ {4}in all +([\d,]+) ticks/m.exec(deep([49], "--frame-limit", "50", ...more).stderr)[1];
  assert.equal(ticks(["--clock", "none"]), ticks([]), "the function that is one too many executes nothing");
  assert.deepEqual(deep([49], "--frame-limit", "51").outputs, [1]);
  assert.deepEqual(deep([49], "--frame-limit", "0").outputs, [1]);
});

test("what is wrong is told, with the option", () => {
  const wrong = (text, ...more) => {
    const { status, stderr } = run("slices.wasm", slices, ...more);
    assert.equal(status, 1, stderr);
    assert.match(stderr, text);
  };
  wrong(/--rollup: "sr1abc" is not a smart rollup's address \(sr1\)/, "--rollup", "sr1abc");
  wrong(/--pvm-version: there is no PVM "3"; give one of 2\.0\.0, 2\.0\.0-r1, /, "--pvm-version", "3");
  wrong(/--show: "outbx" is not inbox, outbox, store or a key such as \/a\/b/, "--show", "outbx");
  wrong(/--show: .* is not a key/, "--show", "/a//b");
  wrong(/--show: no kind of value is called "u8"; there are hex, string, u16, /, "--show", "key /a as u8");
  wrong(/--show: "key a as hex" is not inbox/, "--show", "key a as hex");
  wrong(/--run: "-1" is not the number of a kernel_run; they are numbered from 0 on/, "--run", "-1");
  fs.rmSync("options.pb.gz", { force: true });
  wrong(/--run: there is no kernel_run 9: there were 9, from 0 on/, "--run", "9");
  assert.ok(!fs.existsSync("options.pb.gz"), "nothing is written");
  wrong(/--installer-config: none.yaml: cannot be read \(ENOENT\)/, "--installer-config", "none.yaml");
  assert.match(run("slices.wasm", "none.json").stderr, /--inbox: none.json: cannot be read \(ENOENT\)/);
  fs.writeFileSync("config.json", '{"instructions": [{"set": {"value": "00", "to": "/readonly/x"}}]}');
  wrong(/instruction 0 of the installer's configuration: \/readonly\/x is read-only/, "--installer-config", "config.json");
});
