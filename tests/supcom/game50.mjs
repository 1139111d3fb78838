// game50.mjs SOURCE SEEDS - game.lua in Lua 5.0.3, seed by seed. Leaves the logs and accounts behind,
// for convert.sh, as SEED.log and SEED.account.
import { writeFileSync } from "node:fs";
import { newState, setGlobal, getGlobal, run, close, text } from "./lua50.mjs";

const [source, seeds] = process.argv.slice(2);
let failed = 0;
for (let seed = 1; seed <= Number(seeds); seed++) {
    const L = newState();
    setGlobal(L, "PROFILER", text(`${source}/hosts/supcom/profiler.lua`));
    run(L, `SEED = ${seed}`, "@seed");
    run(L, text(`${source}/tests/supcom/game.lua`), "@game.lua");
    failed += getGlobal(L, "RESULT") !== "ok";
    writeFileSync(`${seed}.log`, getGlobal(L, "LOG_TEXT"));
    writeFileSync(`${seed}.account`, getGlobal(L, "ACCOUNT"));
    close(L);
}
process.exit(failed ? 1 : 0);
