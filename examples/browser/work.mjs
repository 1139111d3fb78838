// work.mjs - profiles queries of a database, in a page, a worker, or Node.

/** Open sql.js with a profiled instance, by its option instantiateWasm. */
async function open(initSqlJs, options) {
  const { Toll } = await import("./toll.mjs");
  const toll = await Toll.load();
  const url = new URL("sql-wasm.wasm", import.meta.url);
  const bytes = url.protocol === "file:" ? (await import("node:fs")).readFileSync(url) : await (await fetch(url)).arrayBuffer();
  let recording;
  const SQL = await initSqlJs({
    thisProgram: "sqlite", // sql.js copies this to the module's memory; a fixed text gives the same ticks everywhere
    instantiateWasm(imports, done) {
      toll.instantiate(bytes, imports, options).then(r => done((recording = r)));
      return {}; // later
    },
  });
  return { SQL, recording };
}

function work(SQL) {
  Math.random = () => 0.5; // sql.js makes a file's name of it; a fixed number gives the same work each time
  const db = new SQL.Database();
  db.create_function("shout", text => text.toUpperCase()); // SQLite calls JavaScript
  db.run("create table word (n integer primary key, text, length integer); begin");
  for (let n = 0; n < 1000; n++) db.run("insert into word values (?, ?, ?)", [n, `word ${n * 7919 % 1009}`, n % 13]);
  db.run("commit; create index by_text on word (text)");
  const [{ values }] = db.exec(`with recursive pair(a, b) as (select 0, 1 union all select b, a + b from pair limit 40)
    select shout(w.text), count(*), max(p.b) from word w join pair p on p.a % 1000 = w.n where w.text like 'word 1%'
    group by w.length order by 2 desc, 1`);
  db.close();
  return JSON.stringify(values);
}

/** { result, files: name -> bytes, top }. */
export async function profiled(initSqlJs, options = {}) {
  const { SQL, recording } = await open(initSqlJs, options), result = work(SQL);
  const files = { "sqlite.pb.gz": await recording.profile("pb.gz"),
                  "sqlite.speedscope.json": await recording.profile("speedscope", "ticks") };
  return { result, files, top: recording.top({ value: "ticks", rows: 20 }) };
}
