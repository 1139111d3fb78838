// A recorder in a few lines: what the module "toll" is to an instrumented module.

/** The names of functions, out of the custom section that toll instrument writes. */
function names(module) {
  const bytes = new Uint8Array(WebAssembly.Module.customSections(module, "toll")[0]);
  let at = 1;
  const u32 = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  u32(); // how deep calls are followed
  const table = u32();
  at += table; // the name of the table of costs
  return Array.from({ length: u32() }, () => {
    const size = u32();
    return new TextDecoder().decode(bytes.subarray(at, at += size));
  });
}

export function recorder(module) {
  const functions = names(module), stack = [], calls = new Map(), self = new Map();
  let last = 0n, deepest = 0;
  const charge = ticks => {
    const key = stack.map(f => functions[f]).join(";");
    if (ticks < last) throw new Error("ticks go back");
    if (ticks > last) self.set(key, (self.get(key) ?? 0n) + ticks - last);
    last = ticks;
  };
  const toll = {
    enter(pending, then, f, ticks) { // which returns nothing: no event may be left
      charge(ticks);
      stack.push(f);
      deepest = Math.max(deepest, stack.length);
      calls.set(functions[f], (calls.get(functions[f]) ?? 0) + 1);
    },
    leave(pending, then, f, ticks) {
      charge(ticks);
      const left = stack.pop();
      if (left !== f) throw new Error(`${functions[f]} ends, but ${functions[left]} stands`);
    },
    settle() {},
    depth: () => stack.length,
    unwind(depth, ticks) {
      charge(ticks);
      if (depth > stack.length) throw new Error("unwound upwards");
      stack.length = depth;
    },
  };
  return { toll, stack, calls, self, get deepest() { return deepest; } };
}
