// vscode.mjs TOLL EXTENSION DATA - the extension for VS Code, with a stub of the parts of VS Code's interface that it uses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";

const [toll, folder, data] = process.argv.slice(2), require = createRequire(import.meta.url);
const settings = { command: toll }, registered = {}, folders = [];
const stub = {
  window: { registerCustomEditorProvider(view, provider, options) { registered[view] = { provider, options }; return { dispose() {} }; } },
  workspace: {
    getConfiguration: section => ({ get: name => (assert.equal(section, "toll"), settings[name]) }),
    getWorkspaceFolder: uri => folders.find(f => uri.fsPath.startsWith(`${f}/`)) && { uri: { fsPath: folders[0] } },
  },
};
const load = Module._load;
Module._load = (name, ...more) => name === "vscode" ? stub : load(name, ...more);

const uriOf = fsPath => ({ scheme: "file", fsPath, toString: () => `file://${fsPath}` });
/** What the editor shows of a file. */
async function shown(uri, view = "toll.profile") {
  const panel = { webview: {} }, { provider } = registered[view];
  await provider.resolveCustomEditor(await provider.openCustomDocument(uri, {}, {}), panel, {});
  assert.deepEqual(panel.webview.options, { enableScripts: true, localResourceRoots: [] });
  return panel.webview.html;
}
const page = (...args) => execFileSync(toll, ["view", "-q", ...args, "-o", "-"], { encoding: "utf8", maxBuffer: Infinity });

const described = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
const context = { subscriptions: [] };
require(path.join(folder, described.main)).activate(context);
assert.deepEqual(Object.keys(registered).sort(), described.contributes.customEditors.map(e => e.viewType).sort());
assert.equal(context.subscriptions.length, 2);
assert.equal(described.contributes.configuration.properties["toll.command"].scope, "machine", "a folder could name a program that is run");
assert.equal(`toll ${described.version}`, execFileSync(toll, ["--version"], { encoding: "utf8" }).split("\n")[0]);

// The page is the command's, also of a file whose name looks like an option, and of each kind of file.
const work = fs.mkdtempSync(path.join(process.cwd(), "files-")), strange = path.join(work, "-o x.folded");
fs.copyFileSync(path.join(data, "example.folded"), strange);
assert.equal(await shown(uriOf(strange), "toll.other"), page(strange));
execFileSync(toll, ["convert", "-q", strange, "-o", path.join(work, "p.pb.gz")]);
assert.equal(await shown(uriOf(path.join(work, "p.pb.gz"))), page(path.join(work, "p.pb.gz")));
assert.match(await shown(uriOf(path.join(work, "p.pb.gz"))), /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);

// Sources are found from the folder that is open.
fs.mkdirSync(path.join(work, "open/deep"), { recursive: true });
fs.writeFileSync(path.join(work, "open/a.lua"), "local function f() end\nf()\n");
execFileSync(toll, ["run", "-q", "--lines", "--clock", "none", "-o", "deep/lines.pb.gz", "lua5.4", "a.lua"], { cwd: path.join(work, "open") });
const embeds = html => /id="toll-block-source"/.test(html);
assert.equal(embeds(await shown(uriOf(path.join(work, "open/deep/lines.pb.gz")))), false);
folders.push(path.join(work, "open"));
assert.equal(embeds(await shown(uriOf(path.join(work, "open/deep/lines.pb.gz")))), true);

// What is wrong is text in a page without scripts.
const bad = path.join(work, "<b>.pb.gz");
fs.writeFileSync(bad, "no profile");
const said = await shown(uriOf(bad));
assert.match(said, /default-src 'none'"/);
assert.match(said, /<pre>toll: [^<]*&#60;b&#62;\.pb\.gz: /);
settings.command = "/no/toll";
assert.match(await shown(uriOf(strange)), /there is no command \/no\/toll: install it .* toll\.command/);
assert.match(await shown({ scheme: "git", toString: () => "git:/a" }), /git:\/a: only files on a disk are shown/);

// Windows looks for a command in the current folder first: that is not the one that is open.
settings.command = path.join(work, "printing");
fs.writeFileSync(settings.command, "#!/bin/sh\npwd\nprintf '%s\\n' \"$@\"\n", { mode: 0o755 });
for (const [platform, cwd, more] of [["linux", folders[0], []], ["win32", process.cwd(), ["--source-dir", folders[0]]]]) {
  Object.defineProperty(process, "platform", { value: platform });
  const file = path.join(work, "open/deep/lines.pb.gz");
  assert.deepEqual((await shown(uriOf(file))).trim().split("\n"), [cwd, "view", "-q", file, "-o", "-", ...more]);
}
fs.rmSync(work, { recursive: true });
console.log("the extension shows the command's page, and what is wrong");
