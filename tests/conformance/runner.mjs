// runner.mjs FOLDER LIB - runs FOLDER/cases.txt with toll.mjs of LIB, and prints what happens. See cases.txt.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();
const OPTIONS = { heap: { heap: true }, lines: { lines: true }, call_lines: { callLines: true }, inlines: { inlines: true },
  no_debug: { debug: false }, no_ticks: { ticks: false },
  no_calls: { calls: false }, timeline: { timeline: true }, clock: { time: "each" } };
const say = text => process.stdout.write(`${text}\n`);
const plain = error => error.message.replace(/^toll: /, "");
const decode = bytes => new TextDecoder().decode(bytes);
let milliseconds = 0;
performance.now = () => ++milliseconds;

/** A case. A Recording has one instance at a time: those that live at the same time have one each, whose profiles are added. */
class Case {
  constructor(name) {
    Object.assign(this, { name, options: { name: "guest.wasm" }, host: {}, current: [], instances: [], recordings: [], profiles: 0 });
  }

  option(name, ...value) {
    const text = value.join(" ").replaceAll(";", "\n");
    Object.assign(this.options, OPTIONS[name] ?? { [name]: name === "depth" ? Number(text) : text });
  }

  begin() {
    try {
      this.bytes = fs.readFileSync(path.join(folder, `${this.guest}.wasm`));
      this.prepared = toll.prepare(this.bytes, this.options);
      if (this.options.labels !== undefined) toll.sum().label(this.options.labels);
    } catch (error) {
      say(`recorder failed: ${plain(error)}`);
      return false;
    }
    return true;
  }

  imports() {
    return { env: { host: n => this.asked(n) }, wasi_snapshot_preview1: { proc_exit: () => { throw new Error("exit"); } } };
  }

  asked(n) {
    const [what, ...rest] = this.host[n] ?? ["return", n], own = this.current.at(-1);
    switch (what) {
      case "return": return Number(rest.length > 1 ? this.host[n].splice(1, 1) : rest[0]);
      case "fail": throw new Error("the host fails");
      case "call": return this.call(own, ...rest);
      case "other": return this.call(...rest);
      case "folded": return this.folded(rest[0]), n;
    }
    try { // catch
      return this.call(own, ...rest);
    } catch {
      this.call(own, "leaf");
      return -1;
    }
  }

  call(i, name, ...args) {
    this.current.push(i);
    try {
      return this.instances[i].exports[name](...args.map(Number));
    } finally {
      this.current.pop();
    }
  }

  /** A recording whose instance has ended takes the next one. */
  async instance() {
    const i = this.instances.push(undefined) - 1, idle = this.recordings.find(r => r.hasEnded);
    this.current.push(i);
    try {
      if (idle) {
        idle.hasEnded = false;
        this.instances[i] = { exports: idle.instantiate(new WebAssembly.Module(this.prepared), this.imports()) };
      } else {
        this.instances[i] = await this.recorded();
      }
      say(`instance ${i}: made`);
    } catch (error) {
      if (error.message.startsWith("toll: ")) throw error;
      say(`instance ${i}: failed`);
    }
    this.current.pop();
  }

  /** Toll.instantiate, but that the recording is known while its instance is made. */
  async recorded() {
    const record = toll.record;
    toll.record = options => {
      const recording = record.call(toll, options);
      if (this.options.labels !== undefined) recording.label(this.options.labels);
      this.recordings.push(recording);
      return recording;
    };
    try {
      return await toll.instantiate(this.bytes, this.imports(), this.options);
    } finally {
      toll.record = record;
    }
  }

  step(word, rest) {
    switch (word) {
      case "instance": return this.instance();
      case "end": return void this.recordings.forEach(r => { r.hasEnded = true; });
      case "folded": return this.folded(rest[0]);
      case "ordered": return this.print("ordered", () => this.sum().write("folded", "", true), () => "");
      case "call": return this.called(...rest);
    }
    const file = `${this.name}.${this.profiles++}.pb`; // profile, places, lines, sum
    fs.writeFileSync(file, this.sum().write("pprof"));
    say(`${word} ${file}`);
  }

  called(i, name, ...args) {
    const what = `${name}(${args})`;
    try {
      const result = this.call(i, name, ...args);
      say(result === undefined ? `${what} returned` : `${what} = ${result}`);
    } catch {
      say(`${what} failed`);
    }
  }

  folded(value) {
    this.print(`folded ${value}`, () => this.sum().write("folded", value));
  }

  print(what, write, why = error => `: ${plain(error)}`) {
    try {
      const text = decode(write());
      say(`${what}:\n${text.trimEnd()}`);
    } catch (error) {
      say(`${what} failed${why(error)}`);
    }
  }

  sum() {
    if (this.recordings.length === 1) return this.recordings[0];
    const sum = toll.sum();
    for (const each of this.recordings) sum.add(each.write("pprof"));
    return sum;
  }
}

for (const text of fs.readFileSync(path.join(folder, "cases.txt"), "utf8").split("\ncase ").slice(1)) {
  const [name, ...lines] = text.trim().split("\n"), one = new Case(name);
  say(`case ${name}`);
  let isReady;
  for (const [word, ...rest] of lines.filter(Boolean).map(line => line.split(" "))) {
    if (word === "guest") [one.guest] = rest;
    else if (word === "option") one.option(...rest);
    else if (word === "host") one.host[rest[0]] = rest.slice(1);
    else if (word !== "needs" && (isReady ??= one.begin())) await one.step(word, rest);
  }
}
