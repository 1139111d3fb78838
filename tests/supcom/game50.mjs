// game50.mjs PROFILER.lua GAME.lua FROM TO - game.lua in Lua 5.0.3, seed by seed.
import { newState, setGlobal, getGlobal, run, close, text } from "./lua50.mjs";

const [profiler, game, from, to] = process.argv.slice(2);
let failed = 0;
for (let seed = Number(from); seed <= Number(to); seed++) {
    const L = newState();
    setGlobal(L, "PROFILER", text(profiler));
    run(L, `SEED = ${seed}`, "@seed");
    run(L, text(game), "@game.lua");
    failed += getGlobal(L, "RESULT") !== "ok";
    close(L);
}
process.exit(failed ? 1 : 0);
