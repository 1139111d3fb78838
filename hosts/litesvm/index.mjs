// index.mjs - the package for `import`: exports what index.cjs has. Vitest's hooks can only be reached by import.
import toll from "./index.cjs";

if (process.env.VITEST) toll.hook(await import("vitest"));
export const { profiled, transactions } = toll;
