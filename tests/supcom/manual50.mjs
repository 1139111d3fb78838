// manual50.mjs SOURCE - manual.lua and manual_random.lua in Lua 5.0.3.
import { execFileSync } from "node:child_process";
import { newState, run } from "./lua50.mjs";

const source = process.argv[2];
run(newState(), execFileSync("sh", [`${source}/tests/supcom/manual_text.sh`, source], { encoding: "utf8" }), "@manual");
