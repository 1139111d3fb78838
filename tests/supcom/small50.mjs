// small50.mjs SOURCE - small.lua in Lua 5.0.3: the log must be small.lua5.0.expected.
import { newState, setGlobal, getGlobal, run, text } from "./lua50.mjs";

const source = process.argv[2];
const L = newState();
setGlobal(L, "PROFILER", text(`${source}/hosts/supcom/profiler.lua`));
run(L, text(`${source}/tests/supcom/small.lua`), "@small.lua");
const lines = getGlobal(L, "LINES");
if (lines !== text(`${source}/tests/supcom/small.lua5.0.expected`)) {
    console.log(lines);
    process.exit(1);
}

const session = newState();
setGlobal(session, "PROFILER", text(`${source}/hosts/supcom/profiler.lua`));
run(session, text(`${source}/tests/supcom/session.lua`), "@session.lua");

const nested = newState();
setGlobal(nested, "PROFILER", text(`${source}/hosts/supcom/profiler.lua`));
run(nested, text(`${source}/tests/supcom/nested.lua`), "@nested.lua");
if (getGlobal(nested, "RESULT") !== "ok") process.exit(1);
