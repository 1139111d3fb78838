// open.mjs stacks|calls FOLDER D3 SPEEDSCOPE - opens the files of bench_page or bench_timeline in FOLDER: the page of
// toll view, and the files for other viewers, each in a new Chromium; prints one table. A viewer that needs more than PATIENCE
// seconds (120) is listed as such.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { measure, PATIENCE, serve } from "./chromium.mjs";

const [kind, folder, d3, speedscope] = process.argv.slice(2);
const file = name => path.resolve(folder, name), server = await serve({ "/files": path.resolve(folder), "/d3": d3, "/speedscope": speedscope });
const inSpeedscope = name => ({ url: `${server.origin}/speedscope/index.html#profileURL=${encodeURIComponent(`${server.origin}/files/${name}`)}`,
                                drawn: () => document.body.innerText.includes("Export"), canvas: "canvas", by: "ctrl-wheel" });
const page = name => ({ url: `file://${file(name)}`, drawn: () => "ready" in document.documentElement.dataset,
                        settled: () => document.querySelector("#listed").textContent, canvas: "#canvas" });

/** By name: the file that the viewer opens, and how; `times`: how often it is measured; the median counts. */
const VIEWERS = {
  stacks: {
    "toll view": { file: "stacks.html", times: 3, ...page("stacks.html") },
    speedscope: { file: "stacks.speedscope.json", ...inSpeedscope("stacks.speedscope.json") },
    "pprof -http": { file: "stacks.pb.gz", start: pprof, url: "http://127.0.0.1:18765/ui/flamegraph", canvas: "#stack-chart", by: "click",
                     drawn: () => document.querySelectorAll("#stack-chart .boxbg, #stack-holder div").length > 5 },
    "d3-flame-graph": { file: "stacks.d3.json", url: `${server.origin}/files/stacks.d3.html`, drawn: () => "drawn" in document.body.dataset, canvas: "#chart", by: "click" },
    "SVG of all frames": { file: "stacks.svg", url: `file://${file("stacks.svg")}`, drawn: () => document.readyState === "complete" },
  },
  calls: {
    "toll view": { file: "run.html", times: 3, ...page("run.html"), url: `file://${file("run.html")}#layout=time`, canvas: "#calls-canvas",
                   drawn: () => "timelineReady" in document.documentElement.dataset },
    "toll view, filtered": { file: "run.html", times: 3, ...page("run.html"), url: `file://${file("run.html")}#layout=time&focus=parse&ignore=module_1:`,
                             canvas: "#calls-canvas", drawn: () => "timelineReady" in document.documentElement.dataset },
    speedscope: { file: "run.speedscope.json", ...inSpeedscope("run.speedscope.json") },
    "speedscope, Chrome's": { file: "run.trace.json", ...inSpeedscope("run.trace.json") },
  },
};

/** pprof's page omits small frames; the work of its server is included. */
function pprof() {
  const child = spawn("go", ["tool", "pprof", "-http=127.0.0.1:18765", "-no_browser", file("stacks.pb.gz")], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let ended = false;
  const stop = () => ended || process.kill(-child.pid);
  return new Promise((ready, failed) => {
    const timer = setTimeout(() => { stop(); failed(new Error(`not within ${PATIENCE / 1000} s`)); }, PATIENCE);
    child.stderr.on("data", text => {
      if (!String(text).includes("Serving web UI")) return;
      clearTimeout(timer);
      ready(stop);
    });
    child.on("error", failed);
    child.on("exit", () => { ended = true; clearTimeout(timer); failed(new Error("go tool pprof has ended")); });
  });
}

async function once(viewer) {
  const stop = viewer.start && await viewer.start();
  try {
    return await measure(viewer);
  } finally {
    stop?.();
  }
}

async function middle(viewer) {
  const rounds = [];
  for (let i = viewer.times ?? 1; i > 0; i--) rounds.push(await once(viewer));
  return rounds.sort((a, b) => a.opened - b.opened)[rounds.length >> 1];
}

const megabytes = bytes => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const put = (...cells) => console.log(cells.map((cell, i) => i ? cell.padStart([0, 9, 9, 7, 9, 9, 9][i]) : cell.padEnd(22)).join(" "));

put(folder, "file", "opened", "times", "memory", "frames/s", "longest");
let ours;
for (const [name, viewer] of Object.entries(VIEWERS[kind])) {
  if (!fs.existsSync(file(viewer.file))) {
    put(name, "", `there is no ${viewer.file}`);
    continue;
  }
  const size = megabytes(fs.statSync(file(viewer.file)).size);
  try {
    const { opened, heap, rate, longest } = await middle(viewer);
    ours ??= opened;
    put(name, size, `${(opened / 1000).toFixed(2)} s`, (opened / ours).toFixed(1), megabytes(heap), rate ? rate.toFixed(0) : "-", rate ? `${longest.toFixed(0)} ms` : "-");
  } catch (error) {
    put(name, size, `not opened: ${error.message.split("\n")[0]}`);
  }
}
server.close();
