// sqlite_run.mjs - SQLite, which some tests record: always the same statements.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** Its module. */
export const bytes = fs.readFileSync(path.join(path.dirname(path.dirname(require.resolve("sql.js"))), "dist/sql-wasm.wasm"));

/** A recording of it. */
export async function sqlite(toll, options) {
  delete require.cache[require.resolve("sql.js")]; // it keeps its first module
  Math.random = () => 0.5; // it makes the name of the database's file, which may be longer or shorter
  const recording = toll.record(options);
  const SQL = await require("sql.js")({ instantiateWasm(imports, done) {
    const instance = { exports: recording.instantiate(new WebAssembly.Module(recording.prepare(bytes)), imports) };
    done(instance);
    return instance.exports;
  } });
  const db = new SQL.Database();
  db.run("create table t (a, b); insert into t values (1, 'x'), (2, 'y')");
  assert.deepEqual(db.exec("select count(*), sum(a), group_concat(b) from t")[0].values, [[2, 3, "x,y"]]);
  return recording;
}
