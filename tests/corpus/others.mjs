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
  return [await hash.blake3(text), await hash.xxhash3(text), await hash.keccak(text), await hash.crc32(text), await hash.whirlpool(text),
          await hash.bcrypt({ password: "p", salt, costFactor: 4, outputType: "encoded" }),
          await hash.scrypt({ password: "p", salt, costFactor: 16, blockSize: 8, parallelism: 1, hashLength: 32 })];
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
    generator.addMapping({ generated: { line: 1 + i % 20, column: i * 3 }, original: { line: i + 1, column: i % 7 }, source: `s${i % 3}.js` });
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
  { name: "argon2", wasm: [], work: argon2 },
  { name: "source-map", wasm: ["source-map/lib/mappings.wasm"], work: sourceMap },
  { name: "tiktoken", wasm: ["tiktoken/lite/tiktoken_bg.wasm"], work: tiktoken },
  { name: "yoga", wasm: ["yoga-wasm-web/dist/yoga.wasm"], work: yoga },
];
