// serve.mjs TOLL LIB few|all - holds toll run --serve, and preload.mjs of LIB, to counts by hand: http.wasm (http.wat) takes a turn for each byte of a request's path
// and query, so that each request's profile is known.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const [toll, lib] = process.argv.slice(2).map(each => path.resolve(each)), isFew = process.argv[4] === "few";
const TURN = 4, OUTPUT = "serve.pb.gz"; // instructions, and the profile

function ran(...args) {
  const { status, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Serve http.wasm while `work(ask)` runs, and then send the signal, if the server has not ended before. ask(target, method) returns the
 *  text of the answer, undefined if the connection ends without one. Returns { status, stderr }. */
async function served(work, { signal, options = [], command = [toll, "run", "--clock", "none", "--rows", "1", "-o", OUTPUT, "--serve", "0", ...options, "http.wasm"], env = {} } = {}) {
  fs.rmSync(OUTPUT, { force: true });
  const server = spawn(command[0], command.slice(1), { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  let stderr = "", ready;
  const ended = new Promise(resolve => server.on("close", (code, by) => resolve(code ?? by)));
  const address = new Promise(resolve => ready = resolve);
  server.stderr.on("data", text => {
    stderr += text;
    const found = /^toll: (http:\S+) is served/m.exec(stderr);
    if (found) ready(found[1]);
  });
  const url = await Promise.race([address, ended]);
  assert.match(String(url), /^http:/, stderr);
  const late = setTimeout(() => server.kill("SIGKILL"), 120_000);
  try {
    await work(ask);
    if (signal) server.kill(signal);
    return { status: await ended, stderr };
  } finally {
    server.kill("SIGKILL"); // if the work has failed
    clearTimeout(late);
  }

  function ask(target, method = "GET") {
    return new Promise(resolve => {
      const request = http.request(url, { path: target, method, agent: false }, async response => resolve((await response.setEncoding("utf8").toArray()).join("")));
      request.on("error", () => resolve(undefined)).end();
    });
  }
}

const json = (...args) => JSON.parse(ran("report", "--json", "--rows", "0", ...args, OUTPUT));

/** The requests that the profile has: "GET /a". What it took to make the instance has no labels. */
const requests = () => json().labels.filter(({ method }) => method).map(({ method, path: [target] }) => `${method} ${target}`);

/** { "GET /a": { turn: { calls, ticks } } }: what functions cost in these requests. */
function costs(names, of = requests()) {
  return Object.fromEntries(of.map(request => {
    const [method, target] = request.split(" "), { functions } = json("--where", `method=${method}`, "--where", `path=${target}`);
    return [request, Object.fromEntries(functions.filter(({ name }) => names.includes(name)).map(({ name, calls, self }) => [name, { calls, ticks: self }]))];
  }));
}
const turns = of => costs(["turn"], of);

const turn = count => ({ calls: count, ticks: TURN * count });
const HANDLE = "wasi:http/incoming-handler@0.2.12#handle";

const tests = {
  async "one request is one profile, also of many at once"() {
    const asked = [["/a", "GET", 2], ["/a?bcd", "GET", 6], ["/a", "POST", 2], ["/a,b=c", "GET", 6], ["/", "GET", 1]];
    const { status, stderr } = await served(async ask => {
      const answers = await Promise.all([1, 2, 3].flatMap(() => asked.map(([target, method]) => ask(target, method))));
      assert.deepEqual(answers, [1, 2, 3].flatMap(() => asked.map(([, , count]) => String(count))));
    }, { signal: "SIGTERM" });
    assert.equal(status, "SIGTERM", stderr);
    ran("check", OUTPUT);
    assert.deepEqual(turns(), { "GET /a": { turn: turn(3 * 8) }, "POST /a": { turn: turn(3 * 2) }, "GET /a,b=c": { turn: turn(3 * 6) }, "GET /": { turn: turn(3) } });
    assert.equal(requests().reduce((sum, each) => sum + json("--where", `method=${each.split(" ")[0]}`, "--where", `path=${each.split(" ")[1]}`).total, 0), json().total);
  },
  async "so it is in a program that jco serve makes, with preload.mjs"() {
    const command = [process.execPath, "--import", path.join(lib, "preload.mjs"), "js/http.program.mjs"];
    const env = { TOLL_OUTPUT: OUTPUT, TOLL_OPTIONS: '{"linked":true}' }, exit = { SIGINT: 130, SIGTERM: 143 };
    for (const signal of Object.keys(exit)) {
      const { status, stderr } = await served(async ask => {
        assert.deepEqual(await Promise.all([ask("/a"), ask("/a?bcd"), ask("/a", "POST")]), ["2", "6", "2"]);
      }, { signal, command, env });
      assert.equal(status, exit[signal], stderr);
      ran("check", OUTPUT);
      assert.deepEqual(turns(), { "GET /a": { turn: turn(8) }, "POST /a": { turn: turn(2) } });
    }
    const { total } = json("--where", "method=POST");
    await served(ask => ask("/a", "POST"), { signal: "SIGTERM" });
    assert.equal(json("--where", "method=POST").total, total);
  },
  async "an answer whose body the handler does not finish ends with the handler"() {
    await served(async ask => assert.deepEqual([await ask("/u"), await ask("/u")], ["2", "2"]), { signal: "SIGTERM" });
    assert.deepEqual(turns(), { "GET /u": { turn: turn(4) } });
  },
  async "a whole URL, which may have a password, has the label of its path"() {
    await served(async ask => assert.ok(await ask("http://user:secret@host/a?b")), { signal: "SIGTERM" });
    assert.deepEqual(requests(), ["GET /a"]);
  },
  async "a trap ends the server, and is in the profile"() {
    const { status, stderr } = await served(async ask => {
      assert.equal(await ask("/a"), "2");
      assert.equal(await ask("/x"), undefined);
    });
    assert.equal(status, 134, stderr);
    assert.match(stderr, /^toll: http\.wasm: trap: .*unreachable/m);
    assert.deepEqual(costs(["turn", "fail"]), { "GET /a": { turn: turn(2) }, "GET /x": { turn: turn(2), fail: { calls: 1, ticks: 1 } } });
  },
  async "a handler that does not return, or waits, is interrupted, and is in the profile"() {
    for (const [target, signal] of [["/l", "SIGINT"], ["/l", "SIGTERM"], ["/w", "SIGINT"], ["/w", "SIGTERM"]]) {
      for (let wait = 500, has = false; !has; wait *= 2) { // the handler gives no sign that it has begun
        const { status, stderr } = await served(async ask => {
          assert.equal(await ask("/a"), "2");
          ask(target);
          await new Promise(resolve => setTimeout(resolve, wait));
        }, { signal });
        assert.equal(status, signal, stderr);
        has = requests().includes(`GET ${target}`);
        assert.ok(has || wait < 8000, `${target} does not begin`);
      }
      assert.deepEqual(turns(), { "GET /a": { turn: turn(2) }, [`GET ${target}`]: { turn: turn(2) } });
    }
  },
  async "jco ends the process if the answer is an error"() {
    const { status, stderr } = await served(async ask => {
      assert.equal(await ask("/a"), "2");
      assert.equal(await ask("/e"), undefined);
    });
    assert.equal(status, 1, stderr);
    assert.deepEqual(turns(), { "GET /a": { turn: turn(2) }, "GET /e": { turn: turn(2) } });
  },
  async "paths beyond a thousand are together, and counted"() {
    const { stderr } = await served(async ask => {
      for (let i = 0; i < 1003; i++) assert.equal(await ask(`/${String(i).padStart(4, "0")}`), "5");
      assert.equal(await ask("/0000"), "5");
    }, { signal: "SIGTERM" });
    assert.equal(requests().length, 1001);
    assert.deepEqual(turns(["GET /0000", "GET /0999", "GET (other)"]),
                     { "GET /0000": { turn: turn(10) }, "GET /0999": { turn: turn(5) }, "GET (other)": { turn: turn(15) } });
    assert.match(stderr, /^note: requests with the path \(other\): more than 1000 paths were requested: 3$/m);
  },
  async "all ways to record have the same requests"() {
    for (const options of [["--clock", "each"], ["--clock", "wall"], ["--call-kinds"], ["--fold-recursion"], ["--timeline", "serve.json"], ["--lines"]]) {
      await served(async ask => assert.deepEqual([await ask("/a"), await ask("/bcd")], ["2", "4"]), { signal: "SIGTERM", options });
      assert.deepEqual(turns(), { "GET /a": { turn: turn(2) }, "GET /bcd": { turn: turn(4) } }, options.join(" "));
    }
  },
  async "what cannot be served is refused, and says why"() {
    const taken = http.createServer().listen(0, "127.0.0.1");
    await new Promise(resolve => taken.on("listening", resolve));
    for (const [args, text] of [
      [["--serve", "0", "two.wasm"], /--serve: the component exports no wasi:http\/incoming-handler; it exports broken, run$/m],
      [["--serve", "x", "http.wasm"], /--serve: 'x' is no \[HOST:\]PORT$/m],
      [["--serve", "70000", "http.wasm"], /--serve: '70000' is no \[HOST:\]PORT$/m],
      [["--serve", String(taken.address().port), "http.wasm"], /EADDRINUSE/],
      [["--serve", "0", "--invoke", "run", "two.wasm"], /leave out one of --serve and --invoke$/m],
      [["--serve", "0", "globals.wasm"], /--serve is for components that handle HTTP requests \(wasi:http\), and this is a module$/m],
      [["http.wasm"], new RegExp(`it is no program. Say --serve PORT; it exports .*${HANDLE}`)],
    ]) {
      const { status, stderr } = spawnSync(toll, ["run", "-q", "-o", "refused.pb.gz", ...args], { encoding: "utf8" });
      assert.equal(status, 1, `${args}: ${stderr}`);
      assert.match(stderr, text);
    }
    taken.close();
  },
};

const FEW = [/^one request/, /^so it is/, /^an answer/, /^a trap/];
for (const [name, test] of Object.entries(tests).filter(([name]) => !isFew || FEW.some(pattern => pattern.test(name)))) {
  await test();
  console.log(`ok: served: ${name}`);
}
