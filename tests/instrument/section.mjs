// section.mjs - reads the custom section "toll" of an instrumented module, as toll/wasm.h describes it.

/** The bytes of a block of LZ4. */
export function unpack(block, size) {
  const out = new Uint8Array(size);
  let at = 0, done = 0;
  const length = half => {
    if (half === 15) for (let byte = 255; byte === 255; half += byte) byte = block[at++];
    return half;
  };
  for (;;) {
    const token = block[at++], literals = length(token >> 4);
    out.set(block.subarray(at, at += literals), done);
    done += literals;
    if (at === block.length) break;
    const distance = block[at] | block[at + 1] << 8;
    at += 2;
    for (let left = length(token & 15) + 4; left > 0; left--, done++) out[done] = out[done - distance];
  }
  if (at !== block.length || done !== size) throw new Error("the block is not as described");
  return out;
}

export function read(module) {
  let bytes = new Uint8Array(WebAssembly.Module.customSections(module, "toll")[0]), at = 1;
  const [version] = bytes;
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
  const depth = number(), functionCount = number(), size = number(); // 0: not packed
  if (size) [bytes, at] = [unpack(bytes.subarray(at), size), 0];
  const costs = text(), names = Array.from({ length: functionCount }, text);
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
  const isPrompt = number() === 1;
  if (at !== bytes.length || counters.length !== count || calls.length !== callCount) throw new Error("the section is not as described");
  return { version, depth, costs, names, file, buildId, compilers, functions, counters, calls, symbols, isPrompt, size: bytes.length };
}

/** How often each counter's stretch was executed. */
export function executions({ exports }, counters) {
  const all = [];
  for (let page = 0; all.length < counters.length; page++) all.push(...exports["toll:executions"](page));
  if (all.slice(counters.length).some(n => n)) throw new Error("executions beyond the last counter");
  return all.slice(0, counters.length);
}
