// pattern.mjs - Matches names with a pattern (docs/semantics.md, "Patterns"), by an automaton whose states are built
// while names are read. Each character of a name is read once, for any pattern. src/base/pattern_match.c does the same
// in the command.
import { Parser } from "./pattern_parse.mjs";

const PROGRAM_MOST = 50000, WORK_MOST = 3e7, PLACES_MOST = 1e6;
const SET = 0, SPLIT = 1, JUMP = 2, EDGE = 3, MATCH = 4; // kinds of instructions
const NOTHING = 0, WORD = 1, OTHER = 2; // the character beside a position in a name
const MATCHED = { next: [] };

/** A test for one character; it ignores case if `folded`. */
function setTest({ members, inverted }, folded) {
  const pattern = new RegExp(`^[${members}]$`, "u"), test = c => pattern.test(c);
  const any = folded ? c => test(c) || test(c.toLowerCase()) || test(c.toUpperCase()) : test;
  return inverted ? c => !any(c) : any;
}

/** The pattern as instructions [what, x, y]: SET x, then the next one; SPLIT to x and to y; JUMP to x; EDGE x. */
class Program {
  constructor(tree, folded) {
    this.code = [];
    this.tests = []; // of the sets
    this.known = new Map(); // text of a set -> its number
    this.written = 0;
    this.folded = folded;
    this.once(tree);
    this.emit(MATCH);
  }

  emit(what, x = 0, y = 0) {
    if (this.code.push([what, x, y]) > PROGRAM_MOST) this.tooLarge();
    return this.code.at(-1);
  }

  tooLarge() {
    throw new Error(`with its repeats written out it has more than ${PROGRAM_MOST} parts; repeat less`);
  }

  set(set) {
    const text = `${set.inverted ? "^" : ""}${set.members}`;
    if (!this.known.has(text)) this.known.set(text, this.tests.push(setTest(set, this.folded)) - 1);
    return this.known.get(text);
  }

  once({ set, edge, branches }) {
    if (++this.written > PROGRAM_MOST) this.tooLarge();
    if (set) this.emit(SET, this.set(set));
    else if (edge) this.emit(EDGE, edge);
    else this.group(branches);
  }

  group(branches) {
    const jumps = [];
    branches.forEach((parts, i) => {
      const split = i + 1 < branches.length && this.emit(SPLIT, this.code.length + 1);
      for (const part of parts) this.repeated(part);
      if (!split) return;
      jumps.push(this.emit(JUMP));
      split[2] = this.code.length;
    });
    for (const jump of jumps) jump[1] = this.code.length;
  }

  repeated(part) {
    const { min, max } = part, splits = [];
    for (let i = 0; i < min; i++) this.once(part);
    if (max === Infinity) {
      const at = this.code.length, split = this.emit(SPLIT, at + 1);
      this.once(part);
      this.emit(JUMP, at);
      split[2] = this.code.length;
      return;
    }
    for (let i = min; i < max; i++) {
      splits.push(this.emit(SPLIT, this.code.length + 1));
      this.once(part);
    }
    for (const split of splits) split[2] = this.code.length;
  }
}

function isAt(edge, before, after) {
  if (edge === "^") return before === NOTHING;
  if (edge === "$") return after === NOTHING;
  return ((before === WORD) !== (after === WORD)) === (edge === "b");
}

export class Pattern {
  /** The case matters if the pattern has upper-case letters. Throws an Error with a message if the pattern is wrong. */
  constructor(text, ignoresCase = !/\p{Lu}/u.test(text.replace(/\\./g, ""))) {
    this.program = new Program(new Parser(text).parse(), ignoresCase);
    this.classes = []; // characters that are in the same sets: { sets: 1 for each they are in, side }
    this.ofSets = new Map();
    this.ofChars = new Map();
    this.ascii = new Int32Array(128).fill(-1);
    this.marks = new Uint32Array(this.program.code.length); // `mark` at the instructions that were reached
    this.mark = this.work = 0;
    this.clear();
    this.first = this.state([0], NOTHING);
  }

  clear() {
    this.states = new Map();
    this.places = 0;
  }

  /** Has the pattern taken too much work? Then matches() returns false from that point on. */
  get exhausted() {
    return this.work > WORK_MOST;
  }

  classOf(char) {
    const sets = Uint8Array.from(this.program.tests, test => test(char) ? 1 : 0), side = /\w/.test(char) ? WORD : OTHER;
    const key = sets.join("") + side;
    this.work += sets.length;
    if (!this.ofSets.has(key)) this.ofSets.set(key, this.classes.push({ sets, side }) - 1);
    return this.ofSets.get(key);
  }

  /** A state: the places in the program where a match can continue, and the kind of the previous character. next[]
   *  caches the next state for each class of characters, and `end` that for the end of a name. If there are too many
   *  states, all are forgotten. */
  state(places, before) {
    const key = `${before}:${places.join()}`, known = this.states.get(key);
    if (known) return known;
    this.work += places.length;
    if ((this.places += places.length + this.classes.length) > PLACES_MOST) this.clear();
    const state = { places, before, next: [], end: undefined };
    this.states.set(key, state);
    return state;
  }

  /** The places after a character, or after the end of the name (no sets). null: the pattern matches. */
  follow({ places, before }, sets, after) {
    const { code } = this.program, found = [], { marks } = this, mark = ++this.mark, stack = [];
    const reach = at => {
      if (marks[at] === mark) return;
      marks[at] = mark;
      stack.push(at);
    };
    for (const place of places) {
      reach(place);
      while (stack.length) {
        const at = stack.pop(), [what, x, y] = code[at];
        this.work++;
        if (what === MATCH) return null;
        if (what === SET) {
          if (sets?.[x]) found.push(at + 1);
        } else if (what === EDGE) {
          if (isAt(x, before, after)) reach(at + 1);
        } else {
          if (what === SPLIT) reach(y);
          reach(x);
        }
      }
    }
    return found;
  }

  step(state, kind) {
    const { sets, side } = this.classes[kind], found = this.follow(state, sets, side);
    return state.next[kind] = found ? this.state([...found, 0], side) : MATCHED;
  }

  matches(name) {
    let state = this.first;
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i);
      let kind = code < 128 ? this.ascii[code] : this.ofChars.get(name.codePointAt(i)) ?? -1;
      if (kind < 0) {
        const char = String.fromCodePoint(name.codePointAt(i));
        kind = this.classOf(char);
        if (code < 128) this.ascii[code] = kind;
        else this.ofChars.set(name.codePointAt(i), kind);
      }
      if (name.codePointAt(i) > 0xffff) i++;
      state = state.next[kind] ?? this.step(state, kind);
      if (state === MATCHED) return true;
      if (this.exhausted) return false;
    }
    return state.end ??= this.follow(state, null, NOTHING) === null;
  }
}
