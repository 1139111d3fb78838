// patterns.mjs MODULES TOLL DIR - random patterns mean the same in the page, in the command (`--focus`) and, if RegExp
// supports them, in RegExp. Wrong patterns have the same messages. Hostile ones take few steps.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , modules, toll, dir] = process.argv;
const { Pattern } = await import(pathToFileURL(path.resolve(modules, "pattern.mjs")));

let seed = 20;
/** From 0 to n - 1. */
function random(n) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor(seed / 2 ** 32 * n);
}
const choose = list => list[random(list.length)];
const many = (n, make) => Array.from({ length: n }, make);

// --- patterns and names

const CHARS = [..."abAB_-.:<>0é", "λ", "Ж", "٣", "😀", "\u00a0", "K", "ſ"];
const ESCAPES = ["\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{N}", "\\p{S}", "\\x61", "\\u0062", "\\u{1F600}", "\\.", "\\[", "\\t"];
const literal = () => choose(CHARS).replace(/[-.]/, "\\$&").replace("\\-", "-");

function brackets() {
  const members = many(1 + random(3), () => random(4) ? random(3) ? choose(CHARS).replace(/[-\]^]/, "\\$&") : choose(ESCAPES) : choose(["a-c", "A-Z", "0-9", "α-ω", "\\x30-\\x39"]));
  return `[${random(3) ? "" : "^"}${members.join("")}]`;
}

function part(depth) {
  const what = random(12);
  if (what < 5) return literal();
  if (what < 6) return ".";
  if (what < 7) return choose(ESCAPES);
  if (what < 9) return brackets();
  return depth ? `${choose(["(", "(?:"])}${pattern(depth - 1)})` : literal();
}

const REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1,2}", "{0,3}?", "{1,}", "{2,}"];
const repeated = depth => random(10) ? part(depth) + (random(3) ? "" : choose(REPEATS)) : choose(["^", "$", "\\b", "\\B"]);

function pattern(depth) {
  return many(random(5) ? 1 : 1 + random(3), () => many(random(5), () => repeated(depth)).join("")).join("|");
}

/** A pattern with some characters changed: it is mostly none, or one that RegExp has not. */
function damaged() {
  const chars = [...pattern(2)];
  for (let i = random(3); i >= 0; i--) chars.splice(random(chars.length + 1), random(2), choose([..."()[]{}*+?|^$\\-,:=<>123k", "(?", "(*", "[:alpha:]", "[[:digit:]]", "[[.a.]]", "[[=", "\\1", "\\p{", "\\x6", "{{", "{,2}"]));
  return chars.join("");
}

const names = [...new Set(many(160, () => many(1 + random(8), () => choose(CHARS)).join("").trim()))].filter(name => name && !/^\s|\s$/.test(name));

// --- what the command says

const input = path.join(dir, "names.folded");
fs.writeFileSync(input, names.map(name => `${name} 1\n`).join(""));

/** { names } that match, or { problem }. */
function command(text) {
  const { status, stdout, stderr } = spawnSync(toll, ["convert", `--focus=${text}`, "--to", "folded", input], { encoding: "utf8" });
  if (status === 0) return { names: new Set(stdout.split("\n").filter(line => line.endsWith(" 1")).map(line => line.replace(/ 1$/, ""))) };
  const at = stderr.indexOf("': ", stderr.indexOf("bad pattern '"));
  assert.ok(stderr.includes("bad pattern '"), `/${text}/: ${stderr}`);
  return { problem: stderr.slice(at + 3).trim() };
}

function page(text, ...more) {
  try {
    const made = new Pattern(text, ...more);
    return { made, names: new Set(names.filter(name => made.matches(name))) };
  } catch (error) {
    return { problem: error.message };
  }
}

const all = command("").names;
assert.deepEqual([...all].sort(), [...names].sort());

// --- the same

let matched = 0, refused = 0;
for (let i = 0; i < 250; i++) {
  const text = pattern(2), got = page(text, false), wanted = names.filter(name => new RegExp(text, "su").test(name));
  assert.equal(got.problem, undefined, `/${text}/`);
  assert.deepEqual([...got.names], wanted, `/${text}/ in the page and in RegExp`);
  assert.deepEqual(new Set(wanted), command(text).names, `/${text}/ in the command`);
  assert.deepEqual(new Set(wanted), page(text, false).names, "a second time");
  matched += wanted.length > 0 && wanted.length < names.length;
}
for (let i = 0; i < 250; i++) {
  const text = damaged(), { problem, names: found } = page(text, false), said = command(text);
  if (problem) refused++;
  if (/'/.test(text)) continue; // the message quotes the pattern
  assert.equal(problem, said.problem, `/${text}/`);
  assert.deepEqual(found, said.names, `/${text}/`);
}
assert.ok(matched > 50 && refused > 50, `${matched} that tell names apart, ${refused} that are refused`);

// --- case: it matters if there is upper case in the pattern

for (let i = 0; i < 150; i++) {
  const text = pattern(2).replace(/\\[pP]\{\w+\}|\\u\{\w+\}|\\[A-Z]|\p{Lu}/gu, "b");
  const wanted = names.filter(name => new RegExp(text, "siu").test(name));
  if (/\\[wb]/.test(text)) continue; // RegExp's \w has more letters then
  assert.deepEqual([...page(text).names], wanted, `/${text}/i`);
}
assert.equal(new Pattern("lex").matches("Lexer"), true);
assert.equal(new Pattern("Lex").matches("lexer"), false);
assert.equal(new Pattern("\\Wlex").matches(" LEX"), true, "an escape is no upper case");
assert.equal(new Pattern("\\p{L}+").matches("Жук"), true);

// --- hostile ones

for (const text of ["(((((a*)*)*)*)*)*[yz]", "(a?b?){200}[xy]", "(x+x+)+y|^(a+)+$", "(.*)(.*)(.*)(.*)[xy]", "(a|b)*a(a|b){12}[xy]"]) {
  const made = new Pattern(text), name = `${"ab".repeat(5000)}!`;
  assert.equal(made.matches(name), false);
  assert.ok(!made.exhausted && made.work < 2e7, `/${text}/: ${made.work} steps`);
}
assert.match(page("((((a{1,200}){1,200}){1,200}){1,200})").problem, /more than 50000 parts; repeat less/);
assert.match(page("(((((a*)*)*)*)*)*\\1z").problem, /'\\1' is a back reference/);
const costly = new Pattern("[ab]*a[ab]{500}c"), name = many(300000, () => choose(["a", "b"])).join("");
assert.equal(costly.matches(name), false);
assert.ok(costly.exhausted, `${costly.work} steps`);
