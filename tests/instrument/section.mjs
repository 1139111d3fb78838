// section.mjs - reads the custom section "toll" of an instrumented module, as toll/wasm.h describes it.

export function read(module) {
  const bytes = new Uint8Array(WebAssembly.Module.customSections(module, "toll")[0]);
  let at = 1;
  const number = () => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const text = () => {
    const size = number();
    return new TextDecoder().decode(bytes.subarray(at, at += size));
  };
  const depth = number(), costs = text();
  const names = Array.from({ length: number() }, text);
  const imported = number(), file = text(), buildId = text(), compilers = text();
  const functions = names.map((name, index) => ({ name, index })), defined = functions.slice(imported);
  let last = 0;
  for (const f of defined) f.address = last += number();
  const files = ["", ...Array.from({ length: number() }, text)];
  if (files.length > 1)
    for (const f of defined) if ((f.file = files[number()])) f.line = number();
  const count = number(), counters = [];
  if (count)
    for (const f of defined) {
      let address = f.address;
      for (let left = number(); left > 0; left--)
        counters.push({ function: f.index, address: address += number(), cost: number() });
    }
  const callCount = number(), calls = [];
  if (callCount)
    for (const f of defined) {
      let address = f.address;
      for (let left = number(); left > 0; left--) calls.push({ function: f.index, address: address += number() });
    }
  const symbols = new Map();
  for (let left = number(), f = 0; left > 0; left--) symbols.set(f += number(), text());
  if (at !== bytes.length || counters.length !== count || calls.length !== callCount) throw new Error("the section is not as described");
  return { version: bytes[0], depth, costs, names, file, buildId, compilers, functions, counters, calls, symbols, size: bytes.length };
}

/** How often each counter's stretch was executed. */
export function executions({ exports }, counters) {
  const all = [];
  for (let page = 0; all.length < counters.length; page++) all.push(...exports["toll:executions"](page));
  if (all.slice(counters.length).some(n => n)) throw new Error("executions beyond the last counter");
  return all.slice(0, counters.length);
}
