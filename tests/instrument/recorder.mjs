// recorder.mjs - a recorder in a few lines, which replaces the module "toll" for an instrumented module.
import { read } from "./section.mjs";

export function recorder(module) {
  const functions = read(module).names, stack = [], calls = new Map(), self = new Map();
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
