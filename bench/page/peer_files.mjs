// peer_files.mjs PAGE MODULES D3 - writes all stacks of a page of toll view as an SVG picture like FlameGraph's
// (stacks.svg), and for d3-flame-graph (stacks.d3.json, stacks.d3.html; D3: its packages).
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [page, modules, d3] = process.argv.slice(2), folder = path.dirname(page);
const module = name => import(pathToFileURL(path.resolve(modules, `${name}.mjs`)));
const [{ Columns, unpack }, { decodeSums, Sums }, { decodeTree, makeTree }] = await Promise.all(["decode", "sums", "tree"].map(module));

const text = fs.readFileSync(page, "utf8");
const element = id => {
  const begin = text.indexOf(` id="${id}">`) + id.length + 7;
  return text.slice(begin, text.indexOf("</script>", begin));
};
const header = JSON.parse(element("toll-header"));
const block = name => ({ packed: Buffer.from(element(`toll-block-${name}`), "base64"), size: header.blocks[name].bytes });
const strings = JSON.parse(new TextDecoder().decode(await unpack(block("strings"))));
const names = new Columns(await unpack(block("frames"))).unsigned(new Int32Array(header.frames));
const keys = header.frames + header.threads.length, count = header.nodes;
const tree = makeTree(await decodeTree({ blocks: ["callees", "up", "callee"].map(block), count, keys }), keys, null);
const sums = Sums.from(await decodeSums({ block: block(`value-${header.default}`), count }));
const total = node => sums.between(node, tree.end[node]);
const nameOf = node => tree.key[node] < header.frames ? strings[names[tree.key[node]]] : header.threads[tree.key[node] - header.frames];

/** A file that is written piece by piece. */
function write(name, work) {
  const file = fs.openSync(path.join(folder, name), "w");
  let pieces = [];
  const flush = () => { fs.writeSync(file, pieces.join("")); pieces = []; };
  work(piece => { if (pieces.push(piece) > 20000) flush(); });
  flush();
  fs.closeSync(file);
}

write("stacks.svg", put => {
  const width = 1200, row = 16, height = (tree.deepest + 2) * row, scale = width / sums.between(0, count);
  put(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12">\n`);
  for (let i = 0, open = []; i < count; i++) {
    while (open.length && tree.end[open.at(-1).node] <= i) open.pop();
    const parent = open.at(-1), left = parent ? parent.next : sums.between(0, i), size = total(i);
    if (parent) parent.next += size;
    open.push({ node: i, next: left });
    const x = (left * scale).toFixed(2), y = height - open.length * row, wide = size * scale, name = nameOf(i);
    put(`<g><title>${name} (${size})</title><rect x="${x}" y="${y}" width="${wide.toFixed(2)}" height="15" fill="rgb(${205 + i % 50},${i * 7 % 230},${i % 55})"/>`
      + (wide > 21 ? `<text x="${(left * scale + 3).toFixed(2)}" y="${y + 11}">${name.slice(0, wide / 7)}</text>` : "") + "</g>\n");
  }
  put("</svg>\n");
});

write("stacks.d3.json", put => {
  const open = [];
  for (let i = 0; i < count; i++) {
    while (open.length && tree.end[open.at(-1)] <= i) {
      open.pop();
      put("]}");
    }
    const first = !open.length || i === open.at(-1) + 1;
    put(`${first ? "" : ","}{"name":${JSON.stringify(nameOf(i))},"value":${total(i)},"children":[`);
    open.push(i);
  }
  put("]}".repeat(open.length));
});

fs.writeFileSync(path.join(folder, "stacks.d3.html"), `<!doctype html><meta charset="utf-8"><title>d3-flame-graph</title>
<link rel="stylesheet" href="${d3}/d3-flame-graph/dist/d3-flamegraph.css"><div id="chart"></div>
<script src="${d3}/d3/dist/d3.min.js"></script><script src="${d3}/d3-flame-graph/dist/d3-flamegraph.min.js"></script>
<script>
fetch("stacks.d3.json").then(response => response.json()).then(data => {
  d3.select("#chart").datum(data).call(flamegraph().width(1200));
  document.body.dataset.drawn = "";
});
</script>
`);
