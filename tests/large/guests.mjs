// guests.mjs - large guests: each returns a text that depends on all of its work.
import fs from "node:fs";

export const guests = {
  /** Ruby leaves and resumes its stacks by asyncify: exceptions, fibers, the collector of garbage. */
  async ruby() {
    const { DefaultRubyVM } = await import("@ruby/wasm-wasi/dist/node");
    const module = await WebAssembly.compile(fs.readFileSync("node_modules/@ruby/3.3-wasm-wasi/dist/ruby.wasm"));
    const { vm } = await DefaultRubyVM(module);
    return vm.eval(`
      def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
      def deep(n) = n.zero? ? raise("bottom") : deep(n - 1)
      caught = 50.times.map { |i| begin; deep(i * 5); rescue => e; e.message.size; end }
      f = Fiber.new { 3.times { |i| Fiber.yield i }; :done }
      GC.start
      [fib(16), caught.sum, 4.times.map { f.resume }, (1..1000).map { |x| x * 7919 % 211 }.sort.sum].inspect`).toString();
  },

  /** CPython: loading it imports some fifty modules. */
  async pyodide() {
    const { loadPyodide } = await import("pyodide");
    const python = await loadPyodide();
    return python.runPython(`
import json, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
str((fib(14), json.loads('[1, {"a": [2.5]}]'), re.sub('[aeiou]+', '_', 'recursion' * 20), sum(i * i for i in range(5000))))`);
  },
};
