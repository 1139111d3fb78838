// push.mjs TOLL PAGE READERS - runs the first line of shell in PAGE for each profile of the folder, and checks the request.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";

const [toll, page, readers] = process.argv.slice(2);
const { Profile } = createRequire(path.resolve(readers, "package.json"))("pprof-format");
const ADDRESS = "http://localhost:4040/", FILE = "swap.pb.gz";
const line = fs.readFileSync(page, "utf8").match(/^```sh\n(curl .*)\n```$/m)[1];
assert.equal(line.split(ADDRESS).length, 2, "the line has the address of the server");
assert.equal(line.split(`@${FILE} `).length, 2, "and the file");

const requests = [];
let answer = { status: 200, body: "" };
const server = http.createServer((request, response) => {
  const chunks = [];
  request.on("data", chunk => chunks.push(chunk));
  request.on("end", () => {
    requests.push({ method: request.method, url: new URL(request.url, ADDRESS), headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.body);
  });
});
await new Promise(done => server.listen(0, "127.0.0.1", done));

/** Run the line; its exit status and what it printed. */
const push = () => new Promise((done, failed) => {
  const child = spawn("sh", ["-c", line.replace(ADDRESS, `http://127.0.0.1:${server.address().port}/`)],
                      { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, http_proxy: "", all_proxy: "" } });
  let text = "";
  child.stdout.on("data", chunk => { text += chunk; });
  child.on("error", failed).on("close", status => done({ status, text }));
});

/** Sums by column as Toll reports them, and as they are in the bytes; exact, also above 2^53. */
const reported = (file, type) =>
  BigInt(execFileSync(toll, ["report", "--json", "-n", "1", "--value", type, file], { encoding: "utf8" }).match(/"total":\s*(-?\d+)/)[1]);
function sums(bytes) {
  const p = Profile.decode(bytes[0] === 0x1f ? zlib.gunzipSync(bytes) : bytes);
  const text = i => p.stringTable.strings[Number(i)];
  return p.sampleType.map((t, i) => [text(t.type), p.sample.reduce((sum, s) => sum + BigInt(s.value[i]), 0n)]);
}

try {
  for (const file of ["columns.pb.gz", "large.pb.gz", "many.pb.gz"]) {
    fs.copyFileSync(file, FILE);
    const before = Math.floor(Date.now() / 1000), { status, text } = await push(), after = Math.ceil(Date.now() / 1000);
    assert.deepEqual([status, text], [0, ""], file);
    assert.equal(requests.length, 1, "one request");
    const { method, url, headers, body } = requests.pop();
    assert.equal(method, "POST");
    assert.equal(url.pathname, "/ingest");
    const { from, until, ...query } = Object.fromEntries(url.searchParams);
    assert.deepEqual(query, { format: "pprof", name: "swap{commit=3f2a1c,host=a1}" });
    for (const time of [from, until]) {
      assert.match(time, /^\d{10}$/, "seconds since 1970");
      assert.ok(before <= Number(time) && Number(time) <= after, "now");
    }
    assert.equal(headers["content-type"], "application/octet-stream");
    assert.equal(headers["content-encoding"], undefined);
    assert.ok(body.equals(fs.readFileSync(file)), "the bytes of the file");
    const found = sums(body);
    assert.ok(found.length > 0);
    for (const [type, sum] of found) assert.equal(sum, reported(file, type), `${file}: ${type}`);
    console.log(`${file}: ${body.length} bytes; ${found.map(([type, sum]) => `${type} ${sum}`).join(", ")}`);
  }

  // A refusal is an error, and its text is printed.
  answer = { status: 422, body: '{"code":"invalid_argument","message":"the profile exceeds the samples count limit"}' };
  const refused = await push();
  assert.deepEqual([refused.status, refused.text], [22, answer.body]);
  console.log(`refused: exit status ${refused.status}`);
} finally {
  server.close();
  server.closeAllConnections();
}
