// Databases, hashes, layout, and what else there is.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { bytes, path, require, withoutFetch } from "./common.mjs";

async function sqlite() {
  const SQL = await require("sql.js")();
  const db = new SQL.Database();
  db.create_function("twice", x => x * 2); // a function of the host, put into the module's table
  db.run("create table t (a integer, b text); begin");
  for (let i = 0; i < 500; i++) db.run("insert into t values (?, ?)", [i * 7919 % 100, `row ${i}`]);
  db.run("commit; create index i on t (a)");
  const result = db.exec("select a, twice(count(*)), group_concat(b, ',') from t group by a order by 2 desc, 1 limit 50");
  assert.equal(result[0].values.length, 50);
  assert.throws(() => db.exec("select a from nowhere"), /no such table/);
  return [result, db.export()];
}

async function hashes() {
  const hash = await import("hash-wasm");
  const text = "the quick brown fox ".repeat(200), salt = new Uint8Array(16).fill(7);
  for (const name of ["md5", "sha256", "sha512"])
    assert.equal(await hash[name](text), createHash(name).update(text).digest("hex"));
  return [await hash.blake3(text), await hash.xxhash3(text), await hash.keccak(text), await hash.crc32(text),
          await hash.whirlpool(text),
          await hash.bcrypt({ password: "p", salt, costFactor: 4, outputType: "encoded" }),
          await hash.scrypt({ password: "p", salt, costFactor: 16, blockSize: 8, parallelism: 1, hashLength: 32 })];
}

/** AssemblyScript. */
async function assemblyScript() {
  const { digest, digest64, batchHash4UintArray64s } = await import("@chainsafe/as-sha256");
  const blocks = [1, 2, 3, 4].map(n => new Uint8Array(64).fill(n)), text = new TextEncoder().encode("tick ".repeat(300));
  const node = bytes => createHash("sha256").update(bytes).digest("hex"), hex = bytes => Buffer.from(bytes).toString("hex");
  assert.equal(hex(digest(text)), node(text));
  assert.deepEqual(batchHash4UintArray64s(blocks).map(hex), blocks.map(node)); // by vectors, if the engine has them
  return [digest64(blocks[0]), digest(new Uint8Array(10000))];
}

/** A whole program with files, arguments and C++ exceptions: packs, lists, unpacks, meets what is no archive. */
async function sevenZip() {
  const { default: init } = await import("7z-wasm");
  const said = [], zip = await init({ print: line => said.push(line), printErr: line => said.push(line),
                                      wasmBinary: bytes("7z-wasm/7zz.wasm") });
  const text = fs.readFileSync(path("acorn/README.md")), run = (...args) => zip.callMain(args);
  zip.FS.writeFile("readme.md", text);
  zip.FS.utime("readme.md", 1e12, 1e12);
  run("a", "-mmt=1", "out.7z", "readme.md");
  run("l", "out.7z");
  zip.FS.writeFile("broken.7z", zip.FS.readFile("out.7z").subarray(0, 200));
  run("x", "broken.7z");
  run("x", "out.7z", "-oback");
  assert.deepEqual(Buffer.from(zip.FS.readFile("back/readme.md")), text);
  return [zip.FS.readFile("out.7z"), said];
}

/** Rust, with objects of its own that JavaScript holds: documents that are changed apart and merged. */
async function automerge() {
  const { change, clone, from, load, merge, save } = await import("@automerge/automerge");
  const [a, b] = ["aa", "bb"], options = actor => ({ actor: actor.repeat(16) });
  let one = from({ list: [1, 2], text: "" }, options(a)), two = clone(one, options(b));
  for (let i = 0; i < 50; i++) {
    one = change(one, { time: 0 }, doc => { doc.list.push(i); doc.text += String.fromCharCode(97 + i % 26); });
    two = change(two, { time: 0 }, doc => { doc.list.splice(0, 1, -i); doc[`key${i}`] = { n: i }; });
  }
  const merged = merge(one, two), file = save(merged);
  assert.deepEqual(load(file), { ...merged });
  assert.equal(merged.key49.n, 49);
  return [file.length, JSON.stringify(merged)];
}

async function argon2() {
  withoutFetch();
  const a = require("argon2-browser");
  const { encoded, hashHex } = await a.hash({ pass: "password", salt: "somesalt", time: 2, mem: 64, hashLen: 24 });
  await a.verify({ pass: "password", encoded });
  await assert.rejects(a.verify({ pass: "wrong", encoded }), { code: -35 });
  return hashHex;
}

async function sourceMap() {
  const { SourceMapConsumer, SourceMapGenerator } = require("source-map");
  const generator = new SourceMapGenerator({ file: "out.js" });
  for (let i = 0; i < 500; i++)
    generator.addMapping({ generated: { line: 1 + i % 20, column: i * 3 },
                           original: { line: i + 1, column: i % 7 }, source: `s${i % 3}.js` });
  return SourceMapConsumer.with(generator.toJSON(), null, consumer => {
    const all = [];
    consumer.eachMapping(m => all.push([m.source, m.originalLine, m.originalColumn, m.generatedLine, m.generatedColumn]));
    assert.equal(all.length, 500);
    assert.deepEqual(consumer.originalPositionFor({ line: 3, column: 66 }), { source: "s1.js", line: 23, column: 1, name: null });
    return all;
  });
}

async function tiktoken() {
  const { Tiktoken } = require("tiktoken/lite");
  const r50k = JSON.parse(fs.readFileSync(path("tiktoken/encoders/gpt2.json"), "utf8"));
  const encoding = new Tiktoken(r50k.bpe_ranks, r50k.special_tokens, r50k.pat_str);
  const text = "Each call, every tick: größer, 日本語, 1234567890.\n".repeat(5), tokens = encoding.encode(text);
  assert.equal(new TextDecoder().decode(encoding.decode(tokens)), text);
  encoding.free();
  return tokens;
}

async function yoga() {
  const { default: init, ...y } = await import("yoga-wasm-web");
  const { Node } = await init(bytes("yoga-wasm-web/dist/yoga.wasm"));
  const root = Node.create(), children = [];
  root.setFlexDirection(y.FLEX_DIRECTION_ROW);
  root.setFlexWrap(y.WRAP_WRAP);
  root.setWidth(300);
  for (let i = 0; i < 30; i++) {
    const child = Node.create();
    child.setMeasureFunc((width, widthMode, height) => ({ width: 20 + i, height: 10 + i % 3 })); // back into JavaScript
    child.setMargin(y.EDGE_ALL, i % 4);
    root.insertChild(child, i);
    children.push(child);
  }
  root.calculateLayout(300, undefined, y.DIRECTION_LTR);
  const boxes = children.map(c => c.getComputedLayout());
  assert.ok(boxes.at(-1).top > 50);
  root.freeRecursive();
  return boxes;
}

export const others = [
  { name: "sqlite", wasm: ["sql.js/dist/sql-wasm.wasm"], work: sqlite },
  { name: "hashes", wasm: [], work: hashes },
  { name: "assemblyscript", wasm: [], work: assemblyScript },
  { name: "7zip", wasm: ["7z-wasm/7zz.wasm"], work: sevenZip },
  { name: "automerge", wasm: [], work: automerge },
  { name: "argon2", wasm: [], work: argon2 },
  { name: "source-map", wasm: ["source-map/lib/mappings.wasm"], work: sourceMap },
  { name: "tiktoken", wasm: ["tiktoken/lite/tiktoken_bg.wasm"], work: tiktoken },
  { name: "yoga", wasm: ["yoga-wasm-web/dist/yoga.wasm"], work: yoga },
];
