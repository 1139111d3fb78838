// runtime.mjs - the heap of .NET's runtime, profiled in the page or program that imports this: what the profile says,
// what a second counter says that hears the same events, and what is in the allocator's own memory.
import { blocksInUse, fits } from "./chunks.mjs";

const COPIES = 100, LENGTH = 99; // of a text, by mono_wasm_strdup

/** Blocks by address, from what the instrumented module reports. An allocator within another one does not count. */
class Counter {
  sizes = new Map();
  strange = 0; // frees of unknown addresses, allocations at known ones
  open = 0;
  watch(toll) {
    return { ...toll,
             allocating: () => (this.open++, toll.allocating()),
             heap: (old, block, size) => {
               if (--this.open === 0) this.take(Number(old), Number(block), Number(size));
               toll.heap(old, block, size);
             } };
  }
  take(old, block, size) {
    if (old && !this.sizes.delete(old)) this.strange++;
    if (block && this.sizes.has(block)) this.strange++;
    if (block) this.sizes.set(block, size);
  }
}

/** Have `counter` watch the runtime's module; returns how to get its exports. The runtime compiles more modules later. */
function watchRuntime(counter) {
  const { Instance } = WebAssembly;
  let runtime;
  WebAssembly.Instance = class {
    constructor(module, imports) {
      const isRuntime = WebAssembly.Module.exports(module).some(e => e.name === "mono_wasm_load_runtime");
      const instance = new Instance(module, isRuntime ? { ...imports, toll: counter.watch(imports.toll) } : imports);
      if (isRuntime) runtime = instance.exports;
      return instance;
    }
  };
  return () => runtime;
}

const sum = lines => lines.reduce((all, line) => all + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);

/** { total, copies } of one value: of all, and of what mono_wasm_strdup allocated. It is written at once: the runtime
 *  also works in turns of its own. */
function profiled(recording, value) {
  const lines = new TextDecoder().decode(recording.write("folded", value)).split("\n").filter(line => line);
  return { total: sum(lines), copies: sum(lines.filter(line => /(^|;)mono_wasm_strdup[; ]/.test(line))) };
}

function state(recording, counter, runtime, first) {
  const { blocks, segments } = blocksInUse(runtime.memory.buffer, first, runtime.sbrk(0)), { sizes } = counter;
  return { objects: profiled(recording, "inuse_objects"), bytes: profiled(recording, "inuse_space"),
           chunks: blocks.size, segments, counted: [sizes.size, [...sizes.values()].reduce((a, b) => a + b, 0)],
           noChunk: [...sizes].filter(([block]) => !blocks.has(block)).length,
           misfits: [...sizes].filter(([block, size]) => blocks.has(block) && !fits(blocks.get(block), size))
             .map(([block, size]) => ({ block, size, chunk: blocks.get(block) })),
           strange: counter.strange };
}

/** A program in C#: calls of Blazor's entry from JavaScript, which looks for methods and reads JSON. None of them finds
 *  what it wants, so each throws and catches. Returns how many ended so. */
async function work(api) {
  const name = "Microsoft.AspNetCore.Components.WebAssembly", exports = await api.getAssemblyExports(name);
  const { InvokeDotNet } = exports.Microsoft.AspNetCore.Components.WebAssembly.Services.DefaultWebAssemblyJSRuntime;
  let thrown = 0;
  for (let i = 0; i < 200; i++)
    for (const method of ["NotifyLocationChanged", "NoSuchMethod"])
      try {
        InvokeDotNet(name, method, 0, `["http://127.0.0.1/${i}", ${i % 2 === 0}]`);
      } catch {
        thrown++;
      }
  return thrown;
}

/** Addresses of copies of one text. */
function copy(runtime) {
  const original = runtime.malloc(LENGTH + 1);
  new Uint8Array(runtime.memory.buffer).fill(65, original, original + LENGTH)[original + LENGTH] = 0;
  const copies = Array.from({ length: COPIES }, () => runtime.mono_wasm_strdup(original));
  runtime.free(original);
  return copies;
}

/** Start the runtime, profiled, and work with it. Returns its state after each step, and the profile as a file. */
export async function measure(Toll, dotnetURL) {
  const counter = new Counter(), instance = watchRuntime(counter), toll = await Toll.load();
  const hook = toll.hook({ heap: true, ticks: false });
  const { dotnet } = await import(dotnetURL);
  const api = await dotnet.create(), { Module } = api;
  const first = Module.stackSave(); // nothing is on the stack, and the heap begins where the stack does
  const runtime = { memory: instance().memory, sbrk: Module._sbrk, malloc: Module._malloc, free: Module._free,
                    mono_wasm_strdup: Module._mono_wasm_strdup };
  const now = () => state(hook.recordings[0], counter, runtime, first), states = {};
  states.started = now();
  const thrown = await work(api);
  states.worked = now();
  const copies = copy(runtime);
  states.copied = now();
  copies.slice(COPIES / 2).forEach(runtime.free);
  states.freed = now();
  const file = hook.profile("pb.gz"); // of this moment
  return { version: api.runtimeBuildInfo.productVersion, thrown, states, file: Array.from(await file) };
}
