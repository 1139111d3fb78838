// sqlite.mjs TOLL - SQLite (npm's sql.js) has the same results instrumented as without.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import { recorder } from "./recorder.mjs";

const require = createRequire(import.meta.url);
const plain = require.resolve("sql.js/dist/sql-wasm.wasm");
execFileSync(process.argv[2], ["instrument", plain, "-o", "sqlite.toll.wasm"]);

/** An Emscripten program with its module replaced. */
async function work(file) {
  let record;
  delete require.cache[require.resolve("sql.js")]; // it keeps its first module
  const initSqlJs = require("sql.js");
  const SQL = await initSqlJs({
    instantiateWasm(imports, done) {
      const module = new WebAssembly.Module(fs.readFileSync(file));
      if (WebAssembly.Module.customSections(module, "toll").length) record = recorder(module);
      const instance = new WebAssembly.Instance(module, { ...imports, toll: record?.toll });
      record && (record.instance = instance);
      done(instance);
      return instance.exports;
    },
  });
  const db = new SQL.Database();
  db.run("create table t (a integer, b text); begin");
  for (let i = 0; i < 2000; i++) db.run("insert into t values (?, ?)", [i * 7919 % 1000, `row ${i}`]);
  db.run("commit; create index i on t (a)");
  const result = db.exec("select a, count(*), group_concat(b, ',') from t group by a order by 2 desc, 1 limit 50");
  assert.throws(() => db.exec("select nothing from nowhere"));
  return { result, file: Buffer.from(db.export()).toString("base64"), record };
}

const before = await work(plain), after = await work("sqlite.toll.wasm");
assert.deepEqual(after.result, before.result);
assert.equal(after.file, before.file);
const { record } = after;
assert.deepEqual(record.stack, []);
const ticks = record.instance.exports["toll:ticks"].value;
assert.equal([...record.self.values()].reduce((a, b) => a + b, 0n), ticks);
const calls = [...record.calls.values()].reduce((a, b) => a + b, 0);
assert.ok(calls > 100000 && ticks > 10000000n);
console.log(`SQLite: ${calls} calls, ${ticks} ticks, ${record.self.size} stacks: the sum is exact`);
