// wrap.mjs [--check] FILE... - wraps the prose of Markdown files at 120 columns: paragraphs and list items, which are filled.
// Headings, tables, code and HTML are not changed. --check: only lists the files that this would change, and fails.
import fs from "node:fs";

const WIDTH = 120;
const isFence = line => /^ *(```|~~~)/.test(line);
const isFixed = line => /^\s*$|^#{1,6} |^\s*\||^\s*<|^ {4,}\S|^\[[^\]]+\]: /.test(line);
const ITEM = /^( *)([-*]|\d+\.) +/;

// The words of a text; text in backticks and the target of a link are not broken.
const words = text => text.match(/(?:`[^`]*`|\]\([^)]*\)|\S)+/g) ?? [];

function fill(first, rest, text) {
  const lines = [];
  let line = first, empty = true;
  for (const word of words(text)) {
    // At the beginning of a line such a word would start a list, a heading or a quotation.
    const opens = /^([-*+>#]|\d+[.)]|#+)$/.test(word);
    if (!empty && line.length + 1 + word.length > WIDTH && !opens) {
      lines.push(line);
      [line, empty] = [rest, true];
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  lines.push(line);
  return lines;
}

function wrap(text) {
  const out = [], lines = text.split("\n");
  let fence = false, paragraph = null; // { first, rest, text }
  const flush = () => {
    if (paragraph) out.push(...fill(paragraph.first, paragraph.rest, paragraph.text));
    paragraph = null;
  };
  for (const line of lines) {
    if (isFence(line)) fence = !fence;
    const item = fence ? null : ITEM.exec(line);
    const continues = paragraph && line.startsWith(paragraph.rest) && /\S/.test(line) && !item;
    if (fence || isFence(line) || (!continues && !item && isFixed(line)) || /^\s*$|^#{1,6} |^\s*\||^\s*</.test(line)) {
      flush();
      out.push(line);
    } else if (item) {
      flush();
      paragraph = { first: item[0], rest: " ".repeat(item[0].length), text: line.slice(item[0].length) };
    } else if (paragraph) {
      paragraph.text += " " + line.trim();
    } else {
      const indent = /^ */.exec(line)[0];
      paragraph = { first: indent, rest: indent, text: line.trim() };
    }
    if (paragraph && / {2}$|\\$/.test(line)) flush(); // a hard line end
  }
  flush();
  return out.join("\n");
}

const [check, files] = process.argv[2] === "--check" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
for (const file of files) {
  const text = fs.readFileSync(file, "utf8"), wrapped = wrap(text);
  if (wrapped === text) continue;
  if (check) {
    console.error(`wrap: ${file} is not wrapped; run scripts/format`);
    process.exitCode = 1;
  } else fs.writeFileSync(file, wrapped);
}
