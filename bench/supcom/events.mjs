// events.mjs SOURCE - events per second of hosts/supcom/profiler.lua in Lua 5.0.3 (in Node, as WebAssembly), compared
// with naive.lua and with no profiler. The clock is that of the game: one addition.
import { newState, setGlobal, getGlobal, run, close, text } from "./lua50.mjs";

const source = process.argv[2];
const profilers = {
    none: "function TurnOnProfiler() end function TurnOffProfiler() end",
    naive: text(`${source}/bench/supcom/naive.lua`),
    toll: text(`${source}/hosts/supcom/profiler.lua`),
};

/* Nanoseconds per call, the least of three; and the number of calls. */
function measure(profiler, depth, ticks) {
    let best = Infinity;
    let calls = 0;
    for (let round = 0; round < 3; round++) {
        const L = newState();
        run(L, `DEPTH = ${depth}`, "@depth");
        run(L, text(`${source}/bench/supcom/work.lua`), "@work.lua");
        run(L, profilers[profiler], "@profiler.lua");
        run(L, "TurnOnProfiler() Run(10)", "@warm");
        const start = process.cpuUsage();
        run(L, `Run(${ticks})`, "@run");
        const { user, system } = process.cpuUsage(start); // microseconds; other programs do not count
        run(L, "TurnOffProfiler() COUNT = tostring(COUNT)", "@count");
        calls = Number(getGlobal(L, "COUNT"));
        best = Math.min(best, ((user + system) * 1e3) / calls);
        close(L);
    }
    return { best, calls };
}

for (const depth of [2, 10, 40]) {
    const ticks = 4000 / (1 + depth / 10);
    const { best: plain } = measure("none", depth, ticks);
    const events = {};
    for (const name of ["naive", "toll"]) {
        const { best } = measure(name, depth, ticks);
        events[name] = 2e9 / (best - plain);
    }
    console.log(
        `Lua 5.0, stacks ${depth + 4} deep: ${(events.toll / 1e6).toFixed(2)} M events/s beyond the plain run, ` +
            `naive ${(events.naive / 1e6).toFixed(2)} M: ${(events.toll / events.naive).toFixed(1)} times`,
    );
}
