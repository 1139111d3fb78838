// types.mts - what the types of the package tollprof allow, and what they refuse. It is compiled, and not run.
import { Profile, Recording, Toll, type Options, type Summary } from "tollprof";
import { fetchHandler, handler } from "tollprof/handler";
import { TimelineFile } from "tollprof/timeline_file";

const options: Options = { only: "parse*", ticks: false, lines: true, costs: "fuel", name: "app.wasm" };
const toll: Toll = await Toll.load(new URL("toll.wasm", import.meta.url));
const recording: Recording = await toll.instantiate(new Uint8Array(), { env: {} }, {
  ...options, time: "each", timeline: new TimelineFile("run.toll-timeline"), depth: 100, inlines: true });
recording.exports.run(1, 2);
const answer: number = recording.phase("decode", () => 42);
const bytes: Uint8Array = await recording.profile("pb.gz", "ticks", { inOrder: false });
const later: Uint8Array = await recording.profile({ seconds: 10, format: "folded", signal: AbortSignal.timeout(1000) });
const part: Profile = recording.part(recording.moment(), recording.moment());
const response: Response = await fetchHandler(toll.hook())(new Request("http://localhost/profile"));
console.log(later.length, part.top(), response.status, handler(recording).length);
const sum: Profile = toll.sum();
sum.add(recording.write("folded"));
const summary: Summary = sum.summary({ value: "calls", rows: answer + bytes.length });
console.log(summary.functions.length, sum.tree(), recording.spent().ticks);

// @ts-expect-error: there is no such clock
await toll.instantiate(new Uint8Array(), {}, { time: "cpu" });
// @ts-expect-error: a pattern is a text
toll.instrument(new Uint8Array(), { only: ["parse"] });
// @ts-expect-error: it has no such method
recording.pause();

import { check } from "tollprof/test";
import { toll as plugin } from "tollprof/vitest";
check("ticks  *  <= 1_204_331", "calls  parse  == 1");
plugin({ budget: "tests.budget", options: { heap: true } }).config();
// @ts-expect-error: a budget is the name of a file
plugin({ budget: 1 });
