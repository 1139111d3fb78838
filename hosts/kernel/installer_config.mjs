// installer_config.mjs - reads the configuration of a kernel's installer (--installer-config): keys to set in the store
// before the kernel runs, in YAML or JSON.
//
//     instructions:
//     - set:
//         value: 0a0b
//         to: /config/key
//
// Of YAML it reads block lists and mappings, and scalars with quotes or without: what such files consist of.

const MOST_INDENT = 200; // each level of nesting has a larger one
const HOW = 'write {"instructions": [{"set": {"value": HEX, "to": KEY}}]}, or the same in YAML';

export class ConfigError extends Error {}

const fail = (where, text) => {
  throw new ConfigError(`${where}: ${text}`);
};

/** A scalar: a text, or null. */
function scalar(text, where) {
  const [, doubled, single] = /^(?:"([^"\\]*)"|'((?:[^']|'')*)')$/.exec(text) ?? [];
  if (doubled !== undefined) return doubled;
  if (single !== undefined) return single.replaceAll("''", "'");
  if (text === "" || text === "~" || text === "null") return null;
  if (text === "[]") return [];
  if (/^[[\]{}&*!|>%@`"'#,?]/.test(text) || /: | #/.test(text)) fail(where, `${JSON.stringify(text)} is no plain text; ${HOW}`);
  return text;
}

/** The lines that are not empty: { indent, text, where }. A list's item is a line for its dash and one for the rest. */
function linesOf(source, name) {
  const lines = [];
  for (const [i, line] of source.split(/\r?\n/).entries()) {
    const where = `${name}:${i + 1}`;
    if (/^\s*(#|$)|^(---|%YAML.*|\.\.\.)\s*$/.test(line)) continue;
    let indent = /^ */.exec(line)[0].length, text = line.slice(indent).trimEnd();
    if (line[indent] === "\t") fail(where, "is indented by a tab; use blanks");
    for (let dash; (dash = /^-(\s+|$)/.exec(text)); indent += dash[0].length || 1, text = text.slice(dash[0].length)) {
      if (indent > MOST_INDENT) break;
      lines.push({ indent, text: "-", where });
    }
    if (indent > MOST_INDENT) fail(where, `is indented by more than ${MOST_INDENT} blanks; ${HOW}`);
    if (text) lines.push({ indent, text: text.replace(/\s#.*$/, "").trimEnd(), where });
  }
  return lines;
}

/** The value at lines[at], whose lines are indented by `indent`. Returns [value, the next line's index]. */
function block(lines, at, indent) {
  if (lines[at].text === "-") return list(lines, at, indent);
  if (/^[\w"'-]+\s*:(\s|$)/.test(lines[at].text)) return mapping(lines, at, indent);
  return [scalar(lines[at].text, lines[at].where), at + 1];
}

/** What follows a dash or a colon: a deeper block, or nothing. A list may be as deep as the key that it belongs to. */
function inner(lines, at, indent, takesList) {
  const next = lines[at];
  const isIn = next && (next.indent > indent || (takesList && next.indent === indent && next.text === "-"));
  return isIn ? block(lines, at, next.indent) : [null, at];
}

function list(lines, at, indent) {
  const items = [];
  while (at < lines.length && lines[at].indent === indent && lines[at].text === "-") {
    const [item, next] = inner(lines, at + 1, indent, false);
    items.push(item);
    at = next;
  }
  return [items, at];
}

function mapping(lines, at, indent) {
  const entries = new Map();
  while (at < lines.length && lines[at].indent === indent && lines[at].text !== "-") {
    const { text, where } = lines[at], [, key, rest] = /^([\w"'-]+)\s*:\s*(.*)$/.exec(text) ?? fail(where, `${JSON.stringify(text)} is no KEY: VALUE`);
    const name = scalar(key, where);
    if (entries.has(name)) fail(where, `"${name}" is there twice`);
    const [value, next] = rest ? [scalar(rest, where), at + 1] : inner(lines, at + 1, indent, true);
    entries.set(name, value);
    at = next;
  }
  return [Object.fromEntries(entries), at];
}

function parseYaml(source, name) {
  const lines = linesOf(source, name);
  if (!lines.length) return null;
  const [value, at] = block(lines, 0, lines[0].indent);
  if (at < lines.length) fail(lines[at].where, `is not indented as what it belongs to; ${HOW}`);
  return value;
}

function parseJson(source, name) {
  try {
    return JSON.parse(source);
  } catch (error) {
    return fail(name, `is no JSON: ${error.message}`);
  }
}

const isMapping = value => value !== null && typeof value === "object" && !Array.isArray(value);
const hasOnly = (value, names) => isMapping(value) && Object.keys(value).every(name => names.includes(name));

function instruction(given, where) {
  if (isMapping(given) && !given.set)
    fail(where, `is ${JSON.stringify(Object.keys(given).join(", "))}; only "set" is run here; ${HOW}`);
  if (!hasOnly(given, ["set"]) || !hasOnly(given.set, ["value", "to"])) fail(where, `is not {"set": {"value", "to"}}; ${HOW}`);
  const { value, to } = given.set, digits = String(value ?? "").replace(/^0x/i, "");
  if (typeof to !== "string") fail(where, '"to" is no key; write a text such as /config/key');
  if ((value ?? "") !== "" && typeof value !== "string") fail(where, '"value" is no text; write hex');
  if (!/^([0-9A-Fa-f]{2})*$/.test(digits)) fail(where, `"value" is not hex: ${JSON.stringify(digits.slice(0, 20))}`);
  return { to, value: Uint8Array.from(Buffer.from(digits, "hex")) };
}

/** Parse a configuration; its name says whether it is JSON. Returns instructions: { to (a key), value (bytes) }. */
export function parseInstallerConfig(source, name) {
  const config = name.endsWith(".json") ? parseJson(source, name) : parseYaml(source, name);
  if (!hasOnly(config, ["instructions"]) || !Array.isArray(config.instructions)) fail(name, `has no list of instructions; ${HOW}`);
  return config.instructions.map((each, i) => instruction(each, `${name}: instruction ${i}`));
}
