// pvm_model.mjs - a model of Tezos' WASM PVM, for tests: it executes functions by the interpreter's own states, with the
// operands and labels that there are at run time, and counts one tick for each state. Its rules are those of frame_step,
// label_step and invoke_step in Octez' src/lib_webassembly/exec/eval.ml. All values are i32.
//
// A function is { params, results, locals, body }. An instruction is an array: its name in the text format, then its
// immediates; block, loop and if have [name, params, results, body, else].

const PLAIN = {
  nop: () => [],
  drop: () => [],
  "i32.add": (a, b) => [(a + b) | 0],
  "i32.and": (a, b) => [a & b],
  "i32.eqz": a => [Number(a === 0)],
  select: (a, b, condition) => [condition ? a : b],
};
const OPERANDS = { nop: 0, drop: 1, "i32.add": 2, "i32.and": 2, "i32.eqz": 1, select: 3 };
const ELEMENT = { "memory.fill": 7, "memory.copy": 8 }; // instructions for each byte

export class Model {
  constructor(functions) {
    this.functions = functions;
    this.ticks = 0;
  }

  /** Run a function without parameters as the entry point, until it returns. Returns the ticks, by Octez' profile. */
  run(index) {
    this.frames = [];
    this.ticks = 1; // its first state
    this.invoke(this.functions[index], []);
    while (this.frames.length) this.step();
    return this.ticks;
  }

  /** From the state that finds Invoke, to the one in which the callee's frame is the first. */
  invoke({ params, results, locals, body }, args) {
    this.ticks += 2; // found; a frame is made
    this.ticks += 1; // begun
    this.ticks += locals + 1;
    this.ticks += params + 1;
    this.ticks += params + locals + 1;
    this.ticks += 2; // made; pushed
    const label = { arity: results, operands: [], code: [{ from: body, at: 0 }] };
    this.frames.push({ locals: [...args, ...Array(locals).fill(0)], labels: [label] });
  }

  /** Take what is first in the code of the innermost label, and execute it. */
  step() {
    const frame = this.frames.at(-1), label = frame.labels.at(-1);
    if (label.code.length === 0) return this.leave(frame, label.operands, null);
    const next = label.code.shift();
    if (next.branch !== undefined) return this.branch(frame, next);
    this.ticks += 3;
    if (next.from) {
      if (next.at < next.from.length) label.code.unshift({ plain: next.from[next.at] }, { from: next.from, at: next.at + 1 });
    } else if (next.returned) {
      this.end(next.returned);
    } else if (next.invoked) {
      this.ticks -= 3;
      this.invoke(next.invoked, next.args);
    } else {
      this.execute(frame, label, next.plain);
    }
  }

  /** The innermost label ends with these operands, and `first` is executed next. */
  leave(frame, operands, first) {
    if (frame.labels.length === 1) {
      this.ticks += 3;
      return this.end(operands);
    }
    frame.labels.pop();
    this.join(frame.labels.at(-1), operands, 4);
    if (first) frame.labels.at(-1).code.unshift({ plain: first });
  }

  /** Move operands to an outer label: one tick for each of both. */
  join(label, operands, ticks) {
    label.operands = [...label.operands, ...operands];
    this.ticks += ticks + label.operands.length;
  }

  end(operands) {
    this.frames.pop();
    if (this.frames.length) this.join(this.frames.at(-1).labels.at(-1), operands, 2);
  }

  branch(frame, { branch, operands }) {
    const label = frame.labels.at(-1);
    if (branch === 0) return this.leave(frame, label.arity ? operands.slice(-label.arity) : [], label.loop);
    this.ticks += 3;
    frame.labels.pop();
    frame.labels.at(-1).code.unshift({ branch: branch - 1, operands });
  }

  open(frame, label, [name, params, results, body]) {
    const operands = label.operands.splice(label.operands.length - params), isLoop = name === "loop";
    frame.labels.push({
      arity: isLoop ? params : results, operands, code: [{ from: body, at: 0 }], loop: isLoop ? [name, params, results, body] : null,
    });
  }

  execute(frame, label, instruction) {
    const [name, a, b, c, d] = instruction, { operands, code } = label, become = plain => code.unshift({ plain });
    switch (name) {
      case "i32.const": return operands.push(a);
      case "local.get": return operands.push(frame.locals[a]);
      case "local.set": return (frame.locals[a] = operands.pop());
      case "local.tee": return (frame.locals[a] = operands.at(-1));
      case "block": case "loop": return this.open(frame, label, instruction);
      case "if": return become(["block", a, b, operands.pop() ? c : d ?? []]);
      case "br":
        code.unshift({ branch: a, operands: [...operands] });
        return operands.splice(0);
      case "br_if": return operands.pop() && become(["br", a]);
      case "br_table": {
        const index = operands.pop() >>> 0;
        return become(["br", a[Math.min(index, a.length - 1)]]);
      }
      case "return": return code.unshift({ returned: operands.splice(0) });
      case "call": case "call_indirect": {
        const callee = this.functions[name === "call" ? a : operands.pop()];
        return code.unshift({ invoked: callee, args: operands.splice(operands.length - callee.params) });
      }
      case "memory.fill": case "memory.copy": {
        const [, , count] = operands.splice(-3);
        return (this.ticks += 6 * ELEMENT[name] * count);
      }
      default: return operands.push(...PLAIN[name](...operands.splice(operands.length - OPERANDS[name])));
    }
  }
}

/* --- the text of functions ---------------------------------------------------------------------*/

const types = (word, count) => (count ? `(${word}${" i32".repeat(count)})` : "");

function text(instruction) {
  const [name, a, b, body, other] = instruction;
  if (["block", "loop", "if"].includes(name))
    return [`${name} ${types("param", a)} ${types("result", b)}`, ...body.map(text), ...(other ? ["else", ...other.map(text)] : []), "end"].join("\n");
  if (name === "br_table") return `br_table ${a.join(" ")}`;
  return name === "call_indirect" ? `call_indirect ${types("param", a)} ${types("result", b)}` : instruction.join(" ");
}

/** A module of these functions; the last one is kernel_run. */
export const moduleText = functions => `(module (memory (export "mem") 1) (table ${functions.length} funcref)
(elem (i32.const 0) func ${functions.map((_, i) => i).join(" ")})
${functions.map(({ params, results, locals, body }, i) => `(func ${i === functions.length - 1 ? "(export \"kernel_run\")" : ""}
  ${types("param", params)} ${types("result", results)} ${types("local", locals)}\n${body.map(text).join("\n")})`).join("\n")})`;

/* --- random functions --------------------------------------------------------------------------*/

/** Numbers from 0 to below 1, the same ones for each seed. */
export function randomNumbers(seed) {
  let state = seed * 2654435761 + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1) ^ (state + Math.imul(state ^ (state >>> 7), state | 61));
    return ((state ^ (state >>> 14)) >>> 0) / 4294967296;
  };
}

/** Makes functions, each of which calls only earlier ones. A loop counts down in a local of its own. */
export class Maker {
  constructor(seed) {
    this.random = randomNumbers(seed);
    this.functions = [];
  }

  below(count) {
    return Math.floor(this.random() * count);
  }

  /** A value that is often 0. */
  condition() {
    return [["local.get", this.below(this.variables)], ["i32.const", 1 + this.below(3)], ["i32.and"]];
  }

  values(count) {
    return Array.from({ length: count }, () => (this.below(2) ? ["i32.const", this.below(100)] : ["local.get", this.below(this.variables)]));
  }

  /** Drop or add operands, so that there are `results`. */
  settle(code, height, results) {
    for (; height > results; height--) code.push(["drop"]);
    code.push(...this.values(results - height));
    return code;
  }

  /** Code that begins with `height` operands and ends with `results`. `labels`: what branches carry to each, innermost
   *  last; null: do not branch there. */
  code(height, results, labels, depth) {
    const code = [];
    for (let left = 1 + this.below(6); left > 0; left--) {
      const [made, change, stops] = this.any(height, labels, depth);
      code.push(...made);
      height += change;
      if (stops) return code;
    }
    return this.settle(code, height, results);
  }

  /** Some instructions: [them, by how many the operands change, whether they always jump]. */
  any(height, labels, depth) {
    const local = this.below(this.variables), kind = this.below(depth > 0 ? 14 : 9);
    if (kind === 2 && height >= 2) return [[["i32.add"]], -1];
    if (kind === 3 && height >= 1) return this.below(2) ? [[["local.tee", local]], 0] : [[["local.set", local]], -1];
    if (kind === 4 && height >= 3) return [[["select"]], -2];
    if (kind === 5) return [[["i32.const", 8], ["i32.const", this.below(8)], ["i32.const", this.below(5)], [this.below(2) ? "memory.fill" : "memory.copy"]], 0];
    if (kind === 6) return this.call();
    if (kind === 7 || kind === 8) return this.jump(height, labels);
    if (kind > 8) return this.block(height, labels, depth - 1);
    const made = this.values(1 + this.below(2));
    return [made, made.length];
  }

  call() {
    if (this.functions.length === 0) return [[["nop"]], 0];
    const index = this.below(this.functions.length), { params, results } = this.functions[index];
    const made = [...this.values(params), ...(this.below(2) ? [["call", index]] : [["i32.const", index], ["call_indirect", params, results]])];
    return [made, results];
  }

  jump(height, labels) {
    const index = this.below(labels.length), carried = labels[labels.length - 1 - index];
    if (carried === null || height < carried) return [[["nop"]], 0];
    const equal = labels.map((_, i) => i).filter(i => labels[labels.length - 1 - i] === carried);
    const kind = this.below(6);
    if (kind < 3) return [[...this.condition(), ["br_if", index]], 0];
    if (kind === 3) return [[["br", index]], 0, true];
    if (kind === 4 && height === labels[0]) return [[["return"]], 0, true];
    const targets = Array.from({ length: 1 + this.below(5) }, () => equal[this.below(equal.length)]);
    return [[...this.condition(), ["br_table", targets]], 0, true];
  }

  block(height, labels, depth) {
    const params = this.below(Math.min(height, 2) + 1), results = this.below(3), kind = this.below(4), change = results - params;
    if (kind === 0) return [[["loop", ...this.loop(params, results, labels, depth)]], change];
    const inner = () => this.code(params, results, [...labels, results], depth);
    if (kind === 1) return [[["block", params, results, inner()]], change];
    const body = inner(), other = params === results && this.below(2) ? undefined : inner();
    return [[...this.condition(), ["if", params, results, body, other]], change];
  }

  /** The body of a loop that repeats itself as long as its counter, which begins with 0, is not 3. */
  loop(params, results, labels, depth) {
    const counter = this.variables + this.counters++, body = this.code(params, params, [...labels, null], depth);
    const again = [["local.get", counter], ["i32.const", 1], ["i32.add"], ["local.tee", counter], ["i32.const", 3], ["i32.and"], ["br_if", 0]];
    return [params, results, this.settle([...body, ...again], params, results)];
  }

  make(params, results) {
    this.variables = params + 2;
    this.counters = 0;
    const body = this.code(0, results, [results], 3);
    this.functions.push({ params, results, locals: 2 + this.counters, body });
  }

  /** Functions, of which the last one is the entry point. */
  all(count) {
    for (let i = 1; i < count; i++) this.make(this.below(3), this.below(3));
    this.make(0, 0);
    return this.functions;
  }
}
