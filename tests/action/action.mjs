// action.mjs ACT TOLL TESTS - ACT runs workflows that use the action: on main, on pull requests that cost the same or too
// much, and on those of forks. server.mjs has the commits of main, and what their runs have kept.
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
const merge = execFileSync("git", ["rev-parse", "HEAD"], { cwd: project, encoding: "utf8" }).trim(); // as GitHub checks a pull request out
const COMMITS = ["c4", "c3", "c2", "c1"]; // of main, newest first
fs.writeFileSync(state, JSON.stringify({ artifacts: [], comments: [], commits: COMMITS, merge }));

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
const artifact = (id, sha, more = {}, run = {}) => ({ id, name: "toll-profile", expired: false, created_at: `2026-01-0${id}T00:00:00Z`, folder: stored,
  workflow_run: { head_branch: "main", head_sha: sha, head_repository_id: 1, repository_id: 1, ...run }, ...more });
const keep = name => {
  fs.rmSync(local(name), { recursive: true, force: true });
  fs.cpSync(stored, local(name), { recursive: true });
  return { folder: local(name) };
};
const workflow = path.join(project, ".github/workflows/cost.yml");
/** Do `work` with a line of the workflow replaced. */
const withWorkflow = (what, by, work) => {
  const before = fs.readFileSync(workflow, "utf8");
  assert.match(before, what);
  fs.writeFileSync(workflow, before.replace(what, by));
  try {
    work();
  } finally {
    fs.writeFileSync(workflow, before);
  }
};

const tests = {
  "the first run on main has nothing to compare with, and keeps its profile"() {
    set({ commits: [merge] });
    const { status, log } = run("push", { ref: "refs/heads/main" });
    set({ commits: COMMITS });
    assert.equal(status, 0, log);
    assert.match(log, /no run on main has kept an artifact toll-profile of the last 100 commits before this one/);
    assert.deepEqual(fs.readdirSync(stored), ["toll.pb.gz"]);
    assert.equal(fs.readFileSync(`${stored}.name`, "utf8"), "toll-profile\n");
  },

  "a pull request that costs the same passes, without a comment; its base is the commit that it was merged into"() {
    // Of that commit: a fork's, one that has expired, one of another branch, 120 of other commits, and two, of which the second run's counts.
    const others = Array.from({ length: 120 }, () => artifact(9, "other"));
    set({ artifacts: [artifact(8, "c4", {}, { head_repository_id: 2 }), artifact(7, "c4", { expired: true }), artifact(6, "c4", {}, { head_branch: "other" }),
                      ...others, artifact(1, "c4"), artifact(2, "c4", keep("kept")), artifact(5, "c3")] });
    const { status, log, asked } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.ok(asked.some(line => line.startsWith("GET /repos/toll/example/actions/artifacts/2/zip")), asked.join("\n"));
    assert.match(log, /compared with artifact 2 of main, commit c4/);
    assert.match(log, /no comment: nothing has changed/);
    assert.equal(comments().length, 0);
  },

  "if that commit has no profile within its limits, the nearest before it is the base; never a later one"() {
    set({ artifacts: [artifact(9, "later"), artifact(4, "c4", { name: "toll-profile-exceeded" }), artifact(1, "c1"), artifact(2, "c3", { folder: local("kept") })] });
    const { status, log } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.match(log, /compared with artifact 2 of main, commit c3/);
    assert.match(log, /the 1 commits after it have no profile within their limits/);
  },

  "a workflow that checks out the head itself is compared with the commit where it branched off"() {
    set({ merge: "another", head: merge, branched: "c2", artifacts: [artifact(4, "c4"), artifact(2, "c2", { folder: local("kept") })] });
    const { status, log } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.match(log, /compared with artifact 2 of main, commit c2/);
    set({ merge, head: undefined });
  },

  "without the permission to read commits a limit fails; without a limit a warning says that nothing is compared"() {
    set({ hasNoContents: true });
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(log, /nothing was held to the limit: the commits before this one could not be read/);
    withWorkflow(/\n +fail-over: 0%/, "", () => {
      const { status, log } = run("pull_request", pullRequest);
      assert.equal(status, 0, log);
      assert.match(log, /nothing to compare with: the commits before this one could not be read/);
    });
    set({ hasNoContents: false, comments: [] });
  },

  "a base that was made otherwise is not compared: that fails, is said in the comment, and may be intended"() {
    const { folder } = keep("fuel"), other = path.join(folder, "toll.pb.gz");
    execFileSync(path.join(path.dirname(act), "toll"), ["run", "-q", "--clock", "none", "--ticks", "-o", other, "lua5.3", "work.lua"], { cwd: project, stdio: "ignore" });
    set({ artifacts: [artifact(1, "c4", { folder })], comments: [] });
    change();
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(comments()[0].body, /\*\*Nothing was compared\*\*[^]*interpreter: BEFORE is of Lua 5\.3/);
    assert.equal(fs.readFileSync(`${stored}.name`, "utf8"), "toll-profile-exceeded\n");
    withWorkflow(/fail-over: 0%/, "fail-over: 100000%\n          accept: true", () => assert.equal(run("pull_request", pullRequest).status, 0));
    withWorkflow(/\n +fail-over: 0%/, "", () => assert.equal(run("pull_request", pullRequest).status, 0)); // a comparison that never fails
    set({ comments: [] });
  },

  "one instruction more fails, and there is a comment: it says where from"() {
    set({ artifacts: [artifact(1, "c4", { folder: local("kept") })] });
    change(["local function more(sum) return sum end", "local function more(sum) return -sum end"]);
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(log, /ticks \+1,.*more/s);
    assert.equal(fs.readFileSync(`${stored}.name`, "utf8"), "toll-profile-exceeded\n", "no later run takes it for a base");
    assert.equal(comments().length, 1);
    assert.match(comments()[0].body, /^<!-- toll: costs -->\n<!-- toll toll-profile -->\n## Toll: toll-profile\n[^]*<code>ticks<\/code>[^]* to /);
    assert.match(comments()[0].body, /<code>main-c4\.pb\.gz<\/code> to [^]*\| \+1 \| 1 \| 2 \| <code>more<\/code>[^]*<pre>[^]*ticks \+1,[^]*more[^]*<\/pre>/);
  },

  "what is intended passes, and is the next base"() {
    withWorkflow(/fail-over: 0%/, "fail-over: 0%\n          accept: true", () => {
      const { status, log } = run("pull_request", pullRequest);
      assert.equal(status, 0, log);
      assert.match(log, /limits are exceeded, which the input `accept` allows/);
      assert.equal(fs.readFileSync(`${stored}.name`, "utf8"), "toll-profile\n");
      assert.match(comments()[0].body, /\*\*Accepted\*\*/);
    });
  },

  "once it costs the same again, the comment says that"() {
    change();
    const { status, log } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.equal(comments().length, 1);
    assert.doesNotMatch(comments()[0].body, /\+1/);
    set({ comments: [] });
  },

  "small steps are seen from the start point, which is a file or a tag"() {
    const before = ["local sum = 0\n", "local sum = 0\nlocal step = 0\n"];
    fs.copyFileSync(path.join(local("kept"), "toll.pb.gz"), path.join(project, "start.pb.gz"));
    change(before);
    run("pull_request", pullRequest);
    set({ comments: [], tags: { v1: "c1" }, artifacts: [artifact(2, "c4", keep("step")), artifact(1, "c1", { folder: local("kept") })] });
    for (const start of ["start.pb.gz", "v1"])
      withWorkflow(/fail-over: 0%/, `fail-over: 1%\n          start: ${start}\n          start-fail-over: 0%`, () => {
        const { status, log } = run("pull_request", pullRequest);
        assert.notEqual(status, 0, log);
        assert.match(comments()[0].body, /Since the start point[^]*ticks \+1/);
        set({ comments: [] });
      });
    withWorkflow(/fail-over: 0%/, "fail-over: 1%\n          start: v2", () => {
      const { status, log } = run("pull_request", pullRequest);
      assert.notEqual(status, 0, log);
      assert.match(log, /the start point v2 is no file, and no commit or tag/);
    });
    fs.rmSync(path.join(project, "start.pb.gz"));
  },

  "each use of the action has a section of one comment; one that another job has overwritten is written again"() {
    const section = (name, text) => `<!-- toll ${name} -->\n${text}\n\n<!-- /toll -->`, comment = (...all) => ["<!-- toll: costs -->", ...all].join("\n");
    const user = { id: 41898282, login: "github-actions[bot]", type: "Bot" };
    change(["local function more(sum) return sum end", "local function more(sum) return -sum end"]);
    set({ artifacts: [artifact(1, "c4", { folder: local("kept") })], comments: [{ id: 1, user, body: comment(section("a", "first"), section("z", "last")).replaceAll("\n", "\r\n") }],
          overwrites: [comment(section("a", "first"), section("b", "another job's"))] });
    run("pull_request", pullRequest);
    assert.equal(comments().length, 1);
    const names = () => Array.from(comments()[0].body.matchAll(/^<!-- toll (.+) -->$/gm), m => m[1]);
    assert.deepEqual(names(), ["a", "b", "toll-profile"]);
    assert.ok(comments()[0].body.startsWith(comment(section("a", "first"), section("b", "another job's"))));
    set({ comments: [], overwrites: [], begun: comment(section("z", "of a job that was faster")) });
    run("pull_request", pullRequest);
    assert.equal(comments().length, 1, "one comment");
    assert.deepEqual(names(), ["toll-profile", "z"]);
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
    const mark = "<!-- toll: costs -->\n", other = { id: 5, login: "somebody", type: "User" };
    for (const more of [{}, { own: { id: 77, login: "me", type: "User" } }, { hasNoViewer: true }]) {
      set({ artifacts: [], comments: [{ id: 1, body: `${mark}mine`, user: other }], own: undefined, hasNoViewer: false, ...more });
      for (let i = 0; i < 2; i++) run("pull_request", pullRequest); // the second finds the first one's
      assert.equal(comments()[0].body, `${mark}mine`);
      assert.equal(comments().length, 2, JSON.stringify(more));
    }
    set({ own: undefined, hasNoViewer: false });
  },

  "a fork's pull request, which may not comment, passes"() {
    set({ artifacts: [artifact(1, "c4", { folder: local("kept") })], comments: [], isReadOnly: true });
    change(["print(more(sum))", "print(sum)"]);
    const { status, log } = run("pull_request", pullRequest);
    assert.equal(status, 0, log);
    assert.match(log, /no comment on the pull request/);
    assert.deepEqual(comments(), []);
  },

  "a test that costs more fails, though another one saves as much"() {
    const before = fs.readFileSync(workflow, "utf8");
    const runs = "for t in a b; do toll run -q --clock none --ticks --label test=$t -o $t.pb.gz lua5.4 work.lua $(cat $t.txt); done; toll merge -q [ab].pb.gz -o toll.pb.gz";
    fs.writeFileSync(workflow, before.replace(/run: toll run.*/, `run: ${runs}`).replace(/budget: .*/, "each: test"));
    const calls = (a, b) => { fs.writeFileSync(path.join(project, "a.txt"), a); fs.writeFileSync(path.join(project, "b.txt"), b); };
    set({ artifacts: [], comments: [], isReadOnly: false, commits: [merge] });
    change();
    calls("100", "100");
    assert.equal(run("push", { ref: "refs/heads/main" }).status, 0);
    set({ artifacts: [artifact(1, "c4", keep("tests"))], commits: COMMITS });
    calls("101", "99");
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.match(log, /test=a: ticks \+/);
    assert.match(comments()[0].body, /\| ticks \| change \|  \|[^]*\| \+[0-9]+ \| \+[0-9.]+% \|[^]*<code>a<\/code>[^]*\| -[0-9]+ \| -[0-9.]+% \|[^]*<code>b<\/code>/);
    fs.writeFileSync(workflow, before.replace(/run: toll run.*/, "run: for t in a b; do toll run -q --clock none --ticks -o part-$t.pb.gz lua5.4 work.lua; done").replace(/budget: .*/, "profile: part-*.pb.gz"));
    set({ artifacts: [], comments: [] });
    assert.equal(run("pull_request", pullRequest).status, 0);
    assert.match(comments()[0].body, /1,?\d{3}/, "the sum of both files");
    fs.writeFileSync(workflow, before);
  },

  "a profile that cannot be read is accepted by nobody"() {
    const before = fs.readFileSync(workflow, "utf8");
    set({ artifacts: [artifact(1, "c4", { folder: local("kept") })], comments: [], isReadOnly: false });
    fs.writeFileSync(workflow, before.replace(/run: toll run.*/, "run: printf 'no profile' >toll.pb.gz").replace(/budget: .*/, "accept: true"));
    fs.rmSync(`${stored}.name`, { force: true });
    const { status, log } = run("pull_request", pullRequest);
    assert.notEqual(status, 0, log);
    assert.ok(!fs.existsSync(`${stored}.name`), "it is kept");
    fs.writeFileSync(workflow, before);
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
