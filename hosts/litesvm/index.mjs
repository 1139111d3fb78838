// index.mjs - the same for import. Vitest's hooks are had by import alone.
import toll from "./index.cjs";

if (process.env.VITEST) toll.hook(await import("vitest"));
export const { profiled, transactions } = toll;
