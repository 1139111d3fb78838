// action.mjs ACT TOLL TESTS - ACT runs workflows that use the action: the first run on main, a pull request with the
// same cost, pull requests that cost too much, and those of forks.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";

const [act, toll, test] = process.argv.slice(2).map(p => path.resolve(p)), here = process.cwd();
const local = (...names) => path.join(here, ...names);
const project = local("project"), stored = local("store"), state = local("server", "state.json");

const pinned = fs.readFileSync(path.join(test, "../../action/action.yml"), "utf8").match(/uses: actions\/upload-artifact@([0-9a-f]{40}) # v/)[1];

const git = (...args) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: project, stdio: "pipe" });

for (const folder of [project, stored, local("server"), local("home")]) fs.rmSync(folder, { recursive: true, force: true });
for (const folder of [path.join(project, ".github/workflows"), local("server"), local("home")]) fs.mkdirSync(folder, { recursive: true });
fs.copyFileSync(path.join(test, "workflow.yml"), path.join(project, ".github/workflows/cost.yml"));
fs.copyFileSync(path.join(test, "work.lua"), path.join(project, "work.lua"));
fs.writeFileSync(path.join(project, "work.budget"), "calls  add  == 100\n");
git("init", "-q", "-b", "main");
git("add", ".");
git("commit", "-qm", "a program");
git("remote", "add", "origin", "https://github.com/toll/example.git");
fs.writeFileSync(state, JSON.stringify({ artifacts: [], comments: [] }));

const server = spawn("node", [path.join(test, "server.mjs"), local("server")], { stdio: ["ignore", "pipe", "inherit"] });
const port = String((await once(server.stdout, "data"))[0]).trim();

/** Run the workflow on an event of GitHub's. Returns { status, log, asked: the requests }. */
function run(event, payload) {
  const log = local("server", "log");
  fs.writeFileSync(log, "");
  fs.writeFileSync(local("event.json"), JSON.stringify({ repository: { default_branch: "main", full_name: "toll/example" }, ...payload }));
  const { status, stdout, stderr } = spawnSync(act, [event, "-P", "ubuntu-latest=-self-hosted", "-e", local("event.json"), "--action-offline-mode",
    "--local-repository", `toll/toll@main=${toll}`, "--local-repository", `actions/upload-artifact@${pinned}=${path.join(test, "upload")}`,
    "-s", "GITHUB_TOKEN=secret", "--env", `GITHUB_API_URL=http://127.0.0.1:${port}`, "--env", `GITHUB_GRAPHQL_URL=http://127.0.0.1:${port}/graphql`, "--env", `TOLL_TEST_STORE=${stored}`],
    { cwd: project, encoding: "utf8", env: { ...process.env, HOME: local("home"), XDG_CACHE_HOME: local("home/cache") } });
  return { status, log: stdout + stderr, asked: fs.readFileSync(log, "utf8").trim().split("\n") };
}

const pullRequest = { pull_request: { number: 7, base: { ref: "main" }, head: { ref: "change" } } };
const change = text => {
  fs.copyFileSync(path.join(test, "work.lua"), path.join(project, "work.lua"));
  if (text) fs.writeFileSync(path.join(project, "work.lua"), fs.readFileSync(path.join(project, "work.lua"), "utf8").replace(...text));
};
const set = changes => fs.writeFileSync(state, JSON.stringify({ ...JSON.parse(fs.readFileSync(state, "utf8")), ...changes }));
const comments = () => JSON.parse(fs.readFileSync(state, "utf8")).comments;
const artifact = (id, more = {}) => ({ id, name: "toll-profile", expired: false, created_at: `2026-01-0${id}T00:00:00Z`, folder: stored,
  workflow_run: { head_branch: "main", head_repository_id: 1, repository_id: 1 }, ...more });
const ofFork = { head_branch: "main", head_repository_id: 2, repository_id: 1 };

const tests = {
  "the first run on main has nothing to compare with, and keeps its profile"() {
    const { status, log } = run("push", { ref: "refs/heads/main" });
    assert.equal(status, 0, log);
    assert.match(log, /no run on main has kept an artifact toll-profile/);
    assert.deepEqual(fs.readdirSync(stored), ["toll.pb.gz"]);
    assert.equal(fs.readFileSync(`${stored}.name`, "utf8"), "toll-profile\n");
  },

  "a pull request that costs the same passes, and has a comment"() {
    fs.cpSync(stored, local("kept"), { recursive: true });
    // A fork's newer one, one that has expired, and 120 of other branches: none of them is the base's.
    const others = Array.from({ length: 120 }, () => artifact(9, { workflow_run: { ...ofFork, head_repository_id: 1, head_branch: "other" } }));
    set({ artifacts: [artifact(8, { workflow_run: ofFork }), artifact(7, { expired: true }), ...others, artifact(2, { folder: local("kept") }), artifact(1)] });
    const { status, log, asked } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.ok(asked.some(line => line.startsWith("GET /repos/toll/example/actions/artifacts/2/zip")), asked.join("\n"));
    assert.equal(comments().length, 1);
    assert.match(comments()[0].body, /^<!-- toll toll-profile -->\n## Toll: toll-profile\n[^]*<code>ticks<\/code>[^]* to /);
  },

  "one instruction more fails, and the comment is changed: it says where from"() {
    change(["local function more(sum) return sum end", "local function more(sum) return -sum end"]);
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(log, /ticks \+1,.*more/s);
    assert.equal(comments().length, 1);
    assert.match(comments()[0].body, /<code>main\.pb\.gz<\/code> to [^]*\| \+1 \| 1 \| 2 \| <code>more<\/code>[^]*<pre>[^]*ticks \+1,[^]*more[^]*<\/pre>/);
  },

  "one call more than the budget fails, where the base is not exceeded"() {
    set({ artifacts: [], comments: [{ id: 1, body: "somebody's", user: { id: 5, login: "somebody", type: "User" } }] });
    change(["or 100", "or 101"]);
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(log, /work\.budget:1:.*calls.*add.*101/);
    assert.match(comments()[1].body, /\| \*\*over\*\* \| 101 \| <code>== 100<\/code> \|/);
    assert.equal(comments().length, 2, "a comment of its own");
  },

  "a comment that somebody else wrote is not taken over, whatever it begins with"() {
    const mark = "<!-- toll toll-profile -->\n", other = { id: 5, login: "somebody", type: "User" };
    for (const more of [{}, { own: { id: 77, login: "me", type: "User" } }, { hasNoViewer: true }]) {
      set({ artifacts: [], comments: [{ id: 1, body: `${mark}mine`, user: other }], own: undefined, hasNoViewer: false, ...more });
      for (let i = 0; i < 2; i++) run("pull_request", pullRequest); // the second finds the first one's
      assert.equal(comments()[0].body, `${mark}mine`);
      assert.equal(comments().length, 2, JSON.stringify(more));
    }
    set({ own: undefined, hasNoViewer: false });
  },

  "a fork's pull request, which may not comment, passes"() {
    set({ artifacts: [artifact(1)], comments: [], isReadOnly: true });
    change();
    fs.cpSync(local("kept"), stored, { recursive: true });
    const { status, log } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.match(log, /no comment on the pull request/);
    assert.deepEqual(comments(), []);
  },

  "a test that costs more fails, though another one saves as much"() {
    const workflow = path.join(project, ".github/workflows/cost.yml"), before = fs.readFileSync(workflow, "utf8");
    const runs = "for t in a b; do toll run -q --clock none --ticks --label test=$t -o $t.pb.gz lua5.4 work.lua $(cat $t.txt); done; toll merge -q [ab].pb.gz -o toll.pb.gz";
    fs.writeFileSync(workflow, before.replace(/run: toll run.*/, `run: ${runs}`).replace(/budget: .*/, "each: test"));
    const calls = (a, b) => { fs.writeFileSync(path.join(project, "a.txt"), a); fs.writeFileSync(path.join(project, "b.txt"), b); };
    set({ artifacts: [], comments: [], isReadOnly: false });
    change();
    calls("100", "100");
    assert.equal(run("push", { ref: "refs/heads/main" }).status, 0);
    fs.rmSync(local("kept"), { recursive: true });
    fs.cpSync(stored, local("kept"), { recursive: true });
    set({ artifacts: [artifact(1, { folder: local("kept") })] });
    calls("101", "99");
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(log, /test=a: ticks \+/);
    assert.match(comments()[0].body, /\| ticks \| change \|  \|[^]*\| \+[0-9]+ \| \+[0-9.]+% \|[^]*<code>a<\/code>[^]*\| -[0-9]+ \| -[0-9.]+% \|[^]*<code>b<\/code>/);
    fs.writeFileSync(workflow, before);
    set({ artifacts: [artifact(1)], isReadOnly: true });
  },

  "a command that fails, fails the job"() {
    change(["print(", "error("]);
    const { status, log } = run("push", { ref: "refs/heads/main" });
    assert.notEqual(status, 0, log);
  },
};

let failed = 0;
for (const [name, work] of Object.entries(tests)) {
  try {
    work();
    console.log(`passed: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
server.kill();
process.exit(failed ? 1 : 0);
