// names.mjs MODULES - names without enough room are cut: first folders, modules and types, then the end.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { TextFit } = await import(pathToFileURL(path.resolve(process.argv[2], "text_fit.mjs")));
const fit = new TextFit({ measureText: text => ({ width: text.length }) });
const cut = (name, letters) => fit.cut(name, letters);

assert.equal(cut("intersect", 9), "intersect");
assert.equal(cut("intersect", 6), "inter…");
assert.equal(cut("strings.(*Builder).Grow", 17), "…(*Builder).Grow");
assert.equal(cut("strings.(*Builder).Grow", 9), "…Grow");
assert.equal(cut("core::iter::Map<core::slice::Iter, F>::next", 40), "…iter::Map<core::slice::Iter, F>::next");
assert.equal(cut("app::module_3::read_node_1", 12), "…read_node_1");
assert.equal(cut("app::module_3::read_node_1", 7), "…read_…");
assert.equal(cut("/LOUD/gamedata/lua/siminit.lua:12(BeginSession)", 30), "…siminit.lua:12(BeginSession)");
assert.equal(cut("app.lua:33", 8), "app.lua…");
assert.equal(cut("§ checked::accounts", 12), "§ …accounts");
assert.equal(cut('[string "x = 1; y = f(1,2)"]:0', 12), '[string "x …');
assert.equal(cut("...", 2), "….");
assert.equal(cut("a/", 1), "");
assert.equal(cut("x", 0), "");
assert.ok(cut("a.".repeat(5000), 30).length <= 30);
assert.equal(cut("ab🎉🎉🎉", 6), "ab🎉…"); // an emoji has two halves
assert.equal(cut("ab🎉🎉🎉", 5), "ab🎉…");
assert.equal(cut("ab🎉🎉🎉", 4), "ab…");
assert.equal(cut("e\u0301e\u0301e\u0301", 4), "e\u0301…"); // a letter and its accent
assert.equal(cut("x🇩🇪🇫🇷", 8), "x🇩🇪…"); // a flag: four halves
console.log("names that have no room");
