// check_prices.mjs TOLL DIR - what a machine charged for each system call that prices.mjs has run is the price that Toll gives it.
import { readFileSync } from "node:fs";
import { cases } from "./price_cases.mjs";
import { Judge } from "./price_judge.mjs";

const [toll, dir] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(`${dir}/answers.json`)), machines = new Set(answers.map(a => a.machine));
const judge = new Judge(toll);
for (const { machine, index, sent } of answers) judge.look(machine, cases[index], `${dir}/${machine}-${index}`, sent);
judge.finish(machines.size);
