// events.mjs SOURCE - what hosts/supcom/profiler.lua adds to a call in Lua 5.0.3 (in Node, as WebAssembly), compared
// with no profiler, with the least that a hook can do (floor.lua) and with naive.lua. The clock is that of the game: one
// addition. All of them run in turns, so that a ratio is of the same moments of a busy machine.
import { newState, setGlobal, getGlobal, run, close, text } from "./lua50.mjs";

const source = process.argv[2];
const toll = text(`${source}/hosts/supcom/profiler.lua`);
const profilers = {
    none: "function TurnOnProfiler() end function TurnOffProfiler() end",
    hook: "function TurnOnProfiler() debug.sethook(function() end, 'cr') end function TurnOffProfiler() debug.sethook() end",
    floor: text(`${source}/bench/supcom/floor.lua`),
    toll,
    tenth: toll + "Profiler.duty(1, 10)", // one tick of ten
    twentieth: toll + "Profiler.duty(1, 20)",
    naive: text(`${source}/bench/supcom/naive.lua`),
};

/* Nanoseconds of CPU time per call; other programs do not count. */
function measure(profiler, depth, ticks) {
    const L = newState();
    run(L, `DEPTH = ${depth}`, "@depth");
    run(L, text(`${source}/bench/supcom/work.lua`), "@work.lua");
    run(L, profilers[profiler], "@profiler.lua");
    run(L, "TurnOnProfiler() Run(10)", "@warm");
    const start = process.cpuUsage();
    run(L, `Run(${ticks})`, "@run");
    const { user, system } = process.cpuUsage(start); // microseconds
    run(L, "TurnOffProfiler() COUNT = tostring(COUNT)", "@count");
    const calls = Number(getGlobal(L, "COUNT"));
    close(L);
    return ((user + system) * 1e3) / calls;
}

for (const depth of [2, 10, 40]) {
    const ticks = 4000 / (1 + depth / 10);
    const best = {};
    for (let round = 0; round < 5; round++) {
        for (const name in profilers) {
            const n = name === "naive" ? ticks / 10 : ticks;
            best[name] = Math.min(best[name] ?? Infinity, measure(name, depth, n));
        }
    }
    const beyond = (name) => `${name} ${Math.round(best[name] - best.none)}`;
    const times = (name) => `${(best[name] / best.none).toFixed(1)} times`;
    console.log(
        `Lua 5.0, stacks ${depth + 4} deep: a call takes ${Math.round(best.none)} ns; beyond that, ns: ` +
            `${["hook", "floor", "toll", "naive"].map(beyond).join(", ")}; ` +
            `toll is ${((best.toll - best.none) / (best.floor - best.none)).toFixed(2)} times the floor. ` +
            `A tick takes ${times("toll")} as long, with one of 10 measured ${times("tenth")}, of 20 ${times("twentieth")}`,
    );
}
