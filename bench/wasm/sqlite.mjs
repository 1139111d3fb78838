// sqlite.mjs LIB SQL.JS - how much longer SQLite (npm's sql.js, in this folder) takes with counted ticks and calls;
// also with executions of each stretch of instructions (--lines); also with lines of calls (--call-lines); or only with
// executions (--no-calls).
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { leastTimes } from "./times.mjs";

const [lib, folder] = process.argv.slice(2).map(name => path.resolve(name));
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync(path.join(folder, "dist/sql-wasm.wasm"));
const require = createRequire(import.meta.url);

/** A database in an instance of its own. */
async function open(options) {
  delete require.cache[require.resolve(folder)]; // it keeps its first module
  const SQL = await require(folder)({
    instantiateWasm(imports, done) {
      const recording = options && toll.record(options);
      const prepared = new WebAssembly.Module(recording ? recording.prepare(bytes) : bytes);
      const instance = recording ? { exports: recording.instantiate(prepared, imports) } : new WebAssembly.Instance(prepared, imports);
      done(instance);
      return instance.exports;
    },
  });
  return new SQL.Database();
}

function work(db) {
  db.run("create table t (a integer, b text); begin");
  for (let i = 0; i < 500; i++) db.run("insert into t values (?, ?)", [i * 7919 % 1000, `row ${i}`]);
  db.run("commit; create index i on t (a)");
  db.exec("select a, count(*), group_concat(b, ',') from t group by a order by 2 desc, 1 limit 50");
  db.run("drop table t");
}

const databases = [];
for (const options of [undefined, {}, { lines: true }, { callLines: true }, { lines: true, calls: false }]) databases.push(await open(options));
const [plain, counted, lines, placed, alone] = leastTimes(databases.map(db => () => work(db)), 60);
const ratio = (a, b) => `${(a / b).toFixed(2)} times`;
console.log(`SQLite: ${plain.toFixed(2)} ms, counted ${ratio(counted, plain)}, with lines ${ratio(lines, counted)} that (goal 1.15), ` +
            `with call lines ${ratio(placed, counted)}, lines alone ${ratio(alone, plain)} plain (goal 1.4)`);
