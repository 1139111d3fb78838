// server.mjs FOLDER - answers requests of the action like GitHub's API (https://docs.github.com/rest): artifacts, whose
// zip comes from another address, and comments. Its data is in FOLDER/state.json, which is read at each request;
// FOLDER/log has one request on each line. Prints its port.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const folder = process.argv[2], PER_PAGE = 100, repository = "/repos/toll/example";
const read = () => JSON.parse(fs.readFileSync(path.join(folder, "state.json"), "utf8"));
const write = state => fs.writeFileSync(path.join(folder, "state.json"), JSON.stringify(state));
const page = (list, url) => list.slice((Number(url.searchParams.get("page") ?? 1) - 1) * PER_PAGE).slice(0, Number(url.searchParams.get("per_page") ?? 30));

const bot = { id: 41898282, login: "github-actions[bot]", type: "Bot" }; // GITHUB_TOKEN's user

function answer(method, url, body, state) {
  const where = url.pathname.slice(repository.length);
  if (method === "GET" && url.pathname === "/user") return [403, { message: "Resource not accessible by integration" }];
  if (method === "POST" && url.pathname === "/graphql") return state.hasNoViewer ? [404, { message: "Not Found" }]
    : [200, { data: { viewer: { databaseId: (state.own ?? bot).id } } }];
  if (method === "GET" && where === "/actions/artifacts") {
    const named = state.artifacts.filter(a => a.name === url.searchParams.get("name"));
    return [200, { total_count: named.length, artifacts: page(named, url) }];
  }
  // state.commits: the commits of main, newest first; the head of a pull request, and GitHub's merge of it, come before them.
  const commit = where.match(/^\/commits\/([^/]+)$/)?.[1], { commits = [], head, merge, tags = {} } = state;
  if (state.hasNoContents && where.match(/^\/(commits|compare)/)) return [403, { message: "Resource not accessible by integration" }];
  if (method === "GET" && where === "/commits") {
    const at = commits.indexOf(url.searchParams.get("sha"));
    return at < 0 ? [404, { message: "Not Found" }] : [200, page(commits.slice(at).map(sha => ({ sha })), url)];
  }
  if (method === "GET" && commit) {
    const sha = tags[commit] ?? commit, parents = sha === merge ? [commits[0], head ?? "its-head"] : commits.slice(commits.indexOf(sha) + 1).slice(0, 1);
    return sha !== merge && sha !== head && !commits.includes(sha) ? [422, { message: "No commit found" }] : [200, { sha, parents: parents.map(parent => ({ sha: parent })) }];
  }
  if (method === "GET" && where === `/compare/main...${head}`) return [200, { merge_base_commit: { sha: state.branched } }];
  const zip = where.match(/^\/actions\/artifacts\/(\d+)\/zip$/);
  if (method === "GET" && zip) return [302, `/blobs/${zip[1]}?signature=1`];
  if (where === "/issues/7/comments" && method === "GET") return [200, page(state.comments, url)];
  if (state.isReadOnly) return [403, { message: "Resource not accessible by integration" }];
  if (where === "/issues/7/comments" && method === "POST") {
    state.comments.push({ id: state.comments.length + 1, body: JSON.parse(body).body, user: state.own ?? bot });
    const made = state.comments.at(-1);
    if (state.begun) state.comments.splice(-1, 0, { id: 99, body: state.begun, user: bot }); // by another job, right before it
    state.begun = undefined;
    return [201, made];
  }
  const comment = state.comments.find(c => where === `/issues/comments/${c.id}`);
  if (comment && method === "PATCH") {
    comment.body = JSON.parse(body).body;
    if (state.overwrites?.length) comment.body = state.overwrites.shift(); // by another job, right after it
    return [200, comment];
  }
  if (comment && method === "DELETE") {
    state.comments = state.comments.filter(other => other !== comment);
    return [204];
  }
  return [404, { message: "Not Found" }];
}

/** A zip of the files of the folder that an artifact names. */
function zipped(id) {
  const { folder: files } = read().artifacts.find(a => a.id === Number(id));
  const archive = path.join(folder, `${createHash("sha256").update(files).digest("hex")}.zip`);
  fs.rmSync(archive, { force: true });
  const { status, stderr } = spawnSync("python3", ["-m", "zipfile", "-c", archive, ...fs.readdirSync(files)], { cwd: files, encoding: "utf8" });
  if (status) throw new Error(stderr);
  return fs.readFileSync(archive);
}

const server = http.createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const url = new URL(request.url, "http://localhost"), blob = url.pathname.match(/^\/blobs\/(\d+)$/);
  fs.appendFileSync(path.join(folder, "log"), `${request.method} ${request.url}\n`);
  if (blob) return response.end(zipped(blob[1]));
  if (request.headers.authorization !== "Bearer secret") return response.writeHead(401).end();
  const state = read(), [status, what] = answer(request.method, url, body, state);
  write(state);
  if (status === 302) return response.writeHead(302, { location: `http://localhost:${server.address().port}${what}` }).end();
  response.writeHead(status, { "content-type": "application/json" }).end(what && JSON.stringify(what));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
