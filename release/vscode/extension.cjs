// extension.cjs - the extension for VS Code: opens a profile as the page that `toll view` makes of it. Nothing is changed in
// the file. VS Code gives each page a frame of its own; the page loads nothing, as its Content-Security-Policy says.
"use strict";
const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");

const VIEWS = ["toll.profile", "toll.other"]; // package.json says of which files
const MISSING = "install it as Toll's README says, or set its path in the setting toll.command";

/** What the command prints for these arguments; fails with what it says. */
function run(command, args, cwd) {
  return new Promise((done, failed) => {
    execFile(command, args, { cwd, maxBuffer: Infinity, windowsHide: true }, (error, page, said) => {
      if (!error) done(page);
      else if (error.code === "ENOENT") failed(new Error(`there is no command ${command}: ${MISSING}`));
      else failed(new Error(said.trim() || error.message));
    });
  });
}

const escaped = text => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);

const problem = text => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>
<body><h1>No page of this profile</h1><pre>${escaped(text)}</pre></body></html>`;

/** The page of a file. Sources are found from the folder that is open, as by the command there. But Windows would look for the
 *  command itself in that folder first. */
async function pageOf(uri) {
  if (uri.scheme !== "file") throw new Error(`${uri}: only files on a disk are shown; save this one`);
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
  const command = vscode.workspace.getConfiguration("toll").get("command"), args = ["view", "-q", uri.fsPath, "-o", "-"];
  return process.platform === "win32" ? run(command, [...args, "--source-dir", folder]) : run(command, args, folder);
}

const provider = {
  openCustomDocument: uri => ({ uri, dispose() {} }),

  async resolveCustomEditor({ uri }, panel) {
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    try {
      panel.webview.html = await pageOf(uri);
    } catch (error) {
      panel.webview.html = problem(error.message);
    }
  },
};

exports.activate = context => {
  for (const view of VIEWS)
    context.subscriptions.push(vscode.window.registerCustomEditorProvider(view, provider, { webviewOptions: { retainContextWhenHidden: true } }));
};
