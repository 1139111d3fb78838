// callgrind_annotate: self costs, and with --inclusive=yes what a function and all below it cost.
import assert from "node:assert/strict";
import { assertSame, byName, profiles, report, run } from "./common.mjs";

const number = text => Number(text.replaceAll(",", ""));

function annotate(file, ...options) {
  const text = run("callgrind_annotate", "--threshold=100", "--show-percs=no", ...options, file);
  const events = text.match(/^Events shown:\s+(.*)$/m)[1].trim().split(/\s+/);
  const row = new RegExp(`^\\s*${events.map(() => "([\\d,.]+)\\s*").join("\\s")}\\s+(?:\\S*?|\\?\\?\\?):(.*)$`);
  const rows = [];
  for (const line of text.slice(text.indexOf("file:function")).split("\n").slice(2)) {
    const m = line.match(row);
    if (!m) break;
    rows.push({ name: m.at(-1).trim(), values: m.slice(1, -1).map(v => v === "." ? 0 : number(v)) });
  }
  const totals = text.match(/^([\d,. ]+?)\s+PROGRAM TOTALS/m)[1].trim().split(/\s+/).map(number);
  return { events, rows, totals };
}

for (const profile of profiles) {
  const file = profile.replace(".pb.gz", ".callgrind");
  const self = annotate(file), inclusive = annotate(file, "--inclusive=yes");
  self.events.forEach((event, i) => {
    const expected = report(profile, "--value", event);
    assert.equal(self.totals[i], expected.total, `${file}: PROGRAM TOTALS of ${event}`);
    const clean = name => name.replace(/\p{Cc}/gu, " "); // a line is a name there
    const nameOf = f => expected.functions.filter(g => g.name === f.name).length > 1 ? `${f.name} (${f.file.replace(/.*\//, "")}:${f.line})` : clean(f.name);
    const values = rows => byName(rows.map(r => ({ name: r.name, value: r.values[i] })), "value");
    assertSame(values(self.rows), byName(expected.functions, "self", nameOf), `${file}: self ${event}`);
    assertSame(values(inclusive.rows), byName(expected.functions, "total", nameOf), `${file}: inclusive ${event}`);
  });
  console.log(`${file}: ${self.rows.length} functions, ${self.events.join(" ")}`);
}
