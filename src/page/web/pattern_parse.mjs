// pattern_parse.mjs - Parses the text of a pattern (docs/semantics.md, "Patterns") into a tree. It accepts the same texts as
// src/base/pattern_parse.c in the command, and has the same error messages.

const TEXT_MOST = 32768, REPEATS_MOST = 1000, DEPTH_MOST = 100;
const CONTROLS = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" };
const POSIX = {
  alpha: "A-Za-z", digit: "0-9", alnum: "0-9A-Za-z", upper: "A-Z", lower: "a-z", space: "\\t-\\r ", blank: "\\t ", print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~", graph: "!-~", cntrl: "\\x01-\\x1f\\x7f", xdigit: "0-9A-Fa-f",
};
const CATEGORY = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)$/;

const source = text => `\\u{${text.codePointAt(0).toString(16)}}`;

/** Parts of a pattern are { set: { members, inverted } } (one character; members as in brackets of RegExp), { edge: ^,
 *  $, b or B }, or { branches: lists of parts }. Each has min and max, the number of repeats. */
export class Parser {
  constructor(text) {
    this.text = [...text]; // characters
    this.at = this.depth = 0;
    if (new TextEncoder().encode(text).length > TEXT_MOST) throw new Error(`it has more than ${TEXT_MOST} bytes`);
  }

  parse() {
    const group = this.group();
    if (this.is(")")) this.wrong(this.at, "')' closes nothing; write \\) for the character");
    return group;
  }

  wrong(at, why) {
    throw new Error(`${why} (character ${at + 1})`);
  }

  is(text, ahead = 0) {
    return this.text[this.at + ahead] === text;
  }

  rest(size) {
    return this.text.slice(this.at, this.at + size).join("");
  }

  // --- characters

  code(letter, begin) {
    const braced = letter === "u" && this.is("{"), form = braced ? /^\{([\da-f]{1,6})\}/i : letter === "x" ? /^([\da-f]{2})/i : /^([\da-f]{4})/i;
    const [all, digits] = form.exec(this.rest(8)) ?? [], code = parseInt(digits, 16);
    if (!all || code > 0x10ffff) this.wrong(begin, "write \\xHH, \\uHHHH or \\u{H...} for a character, up to 10ffff");
    this.at += all.length;
    return String.fromCodePoint(code);
  }

  category(letter) {
    const end = this.text.indexOf("}", this.at), name = this.is("{") && end > 0 ? this.text.slice(this.at + 1, end).join("") : "";
    if (!CATEGORY.test(name))
      this.wrong(this.at - 2, `\\${letter} takes a general category of Unicode: \\${letter}{L}, \\${letter}{Lu}, ...`);
    this.at = end + 1;
    return `\\${letter}{${name}}`;
  }

  wrongEscape(at, letter) {
    if (!letter) this.wrong(at, "there is nothing behind the last '\\'");
    if (/[1-9k]/.test(letter)) this.wrong(at, `'\\${letter}' is a back reference, which patterns do not have`);
    if (letter === "<" || letter === ">") this.wrong(at, `'\\${letter}' is nothing; the edge of a word is \\b`);
    this.wrong(at, `'\\${letter}' is nothing that patterns have`);
  }

  /** After a backslash: { char }, or { members } of a class. */
  escape() {
    const begin = this.at++, letter = this.text[this.at];
    if (!letter || letter > "\x7f") this.wrongEscape(begin, letter && "?");
    this.at++;
    if (CONTROLS[letter]) return { char: CONTROLS[letter] };
    if ("dDwWsS".includes(letter)) return { members: `\\${letter}` };
    if (letter === "p" || letter === "P") return { members: this.category(letter) };
    if (letter === "x" || letter === "u") return { char: this.code(letter, begin) };
    if (/[a-zA-Z0-9<>]/.test(letter)) this.wrongEscape(begin, letter);
    return { char: letter };
  }

  // --- brackets

  /** The members of a class such as "[:alpha:]" within brackets; undefined if there is none here. */
  posix() {
    const kind = this.text[this.at + 1], end = this.is("[") && kind ? this.text.indexOf("]", this.at + 2) : -1;
    if (end <= this.at + 2 || this.text[end - 1] !== kind || !":.=".includes(kind)) return undefined;
    if (kind !== ":") this.wrong(this.at, `'[${kind}' begins a name of a character, which patterns do not have`);
    const name = this.text.slice(this.at + 2, end - 1).join("");
    if (!Object.hasOwn(POSIX, name))
      this.wrong(this.at, "there is no such class; there are alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, upper, xdigit");
    this.at = end + 1;
    return { members: POSIX[name] };
  }

  member() {
    return this.posix() ?? (this.is("\\") ? this.escape() : { char: this.text[this.at++] });
  }

  range() {
    const begin = this.at, first = this.member();
    if (!this.is("-") || this.at + 1 >= this.text.length || this.is("]", 1)) return first.members ?? source(first.char);
    this.at++;
    const last = this.member();
    if (first.members || last.members) this.wrong(begin, "a class is no end of a range; write '-' last");
    if (first.char.codePointAt(0) > last.char.codePointAt(0)) this.wrong(begin, "a range whose end is before its beginning");
    return `${source(first.char)}-${source(last.char)}`;
  }

  brackets() {
    const begin = this.at++, inverted = this.is("^");
    let members = "";
    if (inverted) this.at++;
    do { // a "]" that comes first is the character itself
      if (this.at >= this.text.length) this.wrong(begin, "'[' is never closed; write \\[ for the character");
      members += this.range();
    } while (!this.is("]"));
    this.at++;
    return { members, inverted };
  }

  // --- the whole

  /** The repeats of a part, and the size of their text; undefined: it has none. */
  repeats() {
    const c = this.text[this.at];
    if (c === "*") return { min: 0, max: Infinity, size: 1 };
    if (c === "+") return { min: 1, max: Infinity, size: 1 };
    if (c === "?") return { min: 0, max: 1, size: 1 };
    if (c !== "{") return undefined;
    let end = this.at + 1; // the end of digits, which may be a number of any length
    while (/[\d,]/.test(this.text[end] ?? "")) end++;
    const braces = /^\{(\d+)(,?)(\d*)\}$/.exec(this.text.slice(this.at, end + 1).join(""));
    if (!braces || (!braces[2] && braces[3])) return undefined;
    return { min: +braces[1], max: !braces[2] ? +braces[1] : braces[3] ? +braces[3] : Infinity, size: braces[0].length };
  }

  repeat(part) {
    const begin = this.at, repeats = this.repeats();
    if (!repeats) return Object.assign(part, { min: 1, max: 1 });
    const { min, max, size } = repeats, c = this.text[begin];
    this.at += size;
    if (part.edge) this.wrong(begin, `there is nothing before '${c}' that can be repeated`);
    if (min > REPEATS_MOST || (max > REPEATS_MOST && max !== Infinity)) this.wrong(begin, `it repeats more than ${REPEATS_MOST} times`);
    if (min > max) this.wrong(begin, "the second number of {} is less than the first");
    if (this.is("?")) this.at++; // a lazy repeat matches the same names
    else if (this.is("+")) this.wrong(begin, `possessive repeats ('${c}+') are not in patterns`);
    return Object.assign(part, { min, max });
  }

  groupKind() {
    const at = this.at++, [c, next] = [this.text[at + 2] ?? "", this.text[at + 3]];
    if (this.is("*")) this.wrong(at, "'(*' is a verb, which patterns do not have");
    if (!this.is("?")) return;
    if (c === ":") {
      this.at += 2;
      return;
    }
    const behind = c === "<" && (next === "=" || next === "!");
    if (c === "=" || c === "!" || behind) this.wrong(at, `'(?${c}${behind ? next : ""}' looks around, which patterns do not`);
    if (c && "<P'".includes(c)) this.wrong(at, "groups have no names; write '(' alone");
    if (/^[R&\d]$/.test(c)) this.wrong(at, `'(?${c}' is recursion, which patterns do not have`);
    if (c === "(") this.wrong(at, "'(?(' is a conditional, which patterns do not have");
    this.wrong(at, "'(?' begins what patterns do not have; a group is (...) or (?:...)");
  }

  parentheses() {
    const begin = this.at;
    this.groupKind();
    if (++this.depth > DEPTH_MOST) this.wrong(begin, `groups are nested more than ${DEPTH_MOST} deep`);
    const group = this.group();
    this.depth--;
    if (!this.is(")")) this.wrong(begin, "'(' is never closed; write \\( for the character");
    this.at++;
    return group;
  }

  part() {
    const c = this.text[this.at];
    if (c === "(") return this.parentheses();
    if (c === "^" || c === "$") {
      this.at++;
      return { edge: c };
    }
    if (c === "\\" && (this.is("b", 1) || this.is("B", 1))) {
      this.at += 2;
      return { edge: this.text[this.at - 1] };
    }
    if (this.repeats()) this.wrong(this.at, `there is nothing before '${c}' that can be repeated`);
    if (c === "[") return { set: this.brackets() };
    if (c === ".") {
      this.at++;
      return { set: { members: "\\s\\S" } };
    }
    const { char, members } = c === "\\" ? this.escape() : { char: this.text[this.at++] };
    return { set: { members: members ?? source(char) } };
  }

  branch() {
    const parts = [];
    while (this.at < this.text.length && !this.is("|") && !this.is(")")) parts.push(this.repeat(this.part()));
    return parts;
  }

  group() {
    const branches = [this.branch()];
    while (this.is("|")) {
      this.at++;
      branches.push(this.branch());
    }
    return { branches, min: 1, max: 1 };
  }
}
