// Interpreters and parsers.
import assert from "node:assert/strict";
import fs from "node:fs";
import { bytes, path, require } from "./common.mjs";

const program = `
local function sieve(n)
  local out, composite = {}, {}
  for i = 2, n do
    if not composite[i] then out[#out + 1] = i for j = i * i, n, i do composite[j] = true end end
  end
  return out
end
local caught = 0
for i = 1, 200 do
  local ok, message = pcall(function(depth)
    local function down(d) if d == 0 then error("at the bottom of " .. depth) end return 1 + down(d - 1) end
    return down(depth)
  end, i % 20)
  if not ok and message:find("bottom") then caught = caught + 1 end
end
local co = coroutine.wrap(function() for i = 1, 50 do coroutine.yield(i * i) end end)
local sum = 0
for i = 1, 50 do sum = sum + co() end
local text = table.concat(sieve(500), ","):gsub("%d+", function(d) return #d > 2 and d:reverse() or d end)
return caught .. " " .. sum .. " " .. text`;

/** Lua's C interface. Errors in Lua are longjmp: throws of JavaScript's through the module. */
function lua() {
  const { lua: c, lauxlib, lualib } = require("lua-wasm-bindings/dist/lua.54");
  const L = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(L);
  assert.equal(lauxlib.luaL_dostring(L, program), 0, "the script fails");
  const text = c.lua_tostring(L, -1);
  assert.match(text, /^200 42925 2,3,5,7/);
  assert.notEqual(lauxlib.luaL_dostring(L, "error('no')"), 0);
  c.lua_close(L);
  return text;
}

async function wasmoon() {
  const { LuaFactory } = await import("wasmoon");
  const engine = await new LuaFactory(path("wasmoon/dist/glue.wasm")).createEngine();
  const got = [];
  engine.global.set("host", value => { // calls of the host, which calls back
    if (value === 13) throw new Error("unlucky");
    got.push(value);
    return value * 2;
  });
  got.push(await engine.doString(program));
  got.push(await engine.doString(
    "local s = 0 for i = 1, 40 do local ok, v = pcall(host, i) if ok then s = s + v end end return s"));
  assert.equal(got.at(-1), 40 * 41 - 26);
  engine.global.close();
  return got;
}

async function quickjs() {
  const { getQuickJS } = await import("quickjs-emscripten");
  const context = (await getQuickJS()).newContext();
  const host = context.newFunction("host", n => context.newNumber(context.getNumber(n) + 1));
  context.setProp(context.global, "host", host);
  const value = context.unwrapResult(context.evalCode(`
    let caught = 0;
    const down = n => { if (n === 0) throw new RangeError("bottom"); return 1 + down(n - 1); };
    for (let i = 0; i < 100; i++) try { down(i % 10); } catch (e) { caught += e instanceof RangeError; }
    const words = "the quick brown fox".split(" ").map((w, i) => w.replace(/[aeiou]/g, v => host(i)));
    JSON.stringify([caught, words, [...Array(200).keys()].sort((a, b) => (a * 7919 % 211) - (b * 7919 % 211))])`));
  const result = context.dump(value);
  assert.match(result, /^\[100,\["th1","q22ck"/);
  [value, host, context].forEach(handle => handle.dispose());
  return result;
}

/** Functions of the host's that take their time: Asyncify leaves QuickJS's stack and comes back to it. */
async function quickjsAsync() {
  const { newAsyncContext } = await import("quickjs-emscripten");
  const context = await newAsyncContext();
  const later = context.newAsyncifiedFunction("later", async n => {
    await new Promise(done => setImmediate(done));
    return context.newNumber(context.getNumber(n) * 2);
  });
  context.setProp(context.global, "later", later);
  const value = context.unwrapResult(await context.evalCodeAsync(`
    const deep = n => (n ? 1 + deep(n - 1) : later(21));
    [deep(0), deep(10), [3, 1, 2].sort((a, b) => later(a) - later(b))].join()`));
  const result = context.dump(value);
  assert.equal(result, "42,52,1,2,3");
  [value, later, context].forEach(handle => handle.dispose());
  return result;
}

/** A main module and a side module, linked at run time: they share memory and table. */
async function treeSitter() {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(bytes("tree-sitter-python/tree-sitter-python.wasm")));
  const source = 'def f(a, *b):\n    if a > 1:\n        return f"x{a!r}" + """\n  long"""\n    for i in b: yield i\n';
  const tree = parser.parse(source.repeat(20));
  assert.equal(tree.rootNode.namedChildCount, 20);
  assert.ok(!tree.rootNode.hasError);
  return [tree.rootNode.toString(), parser.parse("def (:\n  )").rootNode.toString()];
}

const messy = `import a, { b as c } from "x"; export default class K { static #p = 1; m() { return import("./" + c) } }
export const { d, e: [f] } = a ?? {}; export * as ns from 'y'; /re/g.test(\`\${d}\`); export { f as "quoted" };\n`;

async function esModuleLexer() {
  const lexer = await import("es-module-lexer");
  await lexer.init;
  const [imports, exports] = lexer.parse(messy.repeat(1));
  assert.deepEqual(imports.map(i => i.specifier), ["x", undefined, "y"]);
  const own = fs.readFileSync(path("acorn/dist/acorn.mjs"), "utf8");
  return [imports, exports, lexer.parse(own)[1]].map(x => JSON.stringify(x));
}

async function cjsModuleLexer() {
  const { init, parse } = await import("cjs-module-lexer");
  await init();
  const result = parse(fs.readFileSync(path("acorn/dist/acorn.js"), "utf8"));
  assert.ok(result.exports.includes("tokenizer"));
  return JSON.stringify([result.exports, result.reexports]);
}

/** Rollup's parser is written in Rust; the rest of the bundling is JavaScript. */
async function rollup() {
  const { rollup: bundle } = await import("@rollup/wasm-node");
  const files = { main: `import { used } from "lib"; ${messy.replace('"x"', '"lib"')} console.log(used(1))`,
                  lib: "export const used = x => x + 1; export const unused = () => 2; export default {}; export const b = 3;",
                  y: "export const why = 1" };
  const build = await bundle({ input: "main", onwarn() {}, treeshake: { moduleSideEffects: false }, plugins: [{
    resolveId: id => (id in files ? id : null), load: id => files[id] }] });
  const { code } = (await build.generate({ format: "es", inlineDynamicImports: true })).output[0];
  assert.ok(code.includes("used") && !code.includes("unused"));
  return code;
}

export const languages = [
  { name: "lua", wasm: ["lua-wasm-bindings/dist/glue/glue-lua-5.4.7.wasm"], work: lua },
  { name: "wasmoon", wasm: ["wasmoon/dist/glue.wasm"], work: wasmoon },
  { name: "quickjs", wasm: ["@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm"], work: quickjs },
  { name: "quickjs-asyncify", wasm: ["@jitl/quickjs-wasmfile-release-asyncify/dist/emscripten-module.wasm"],
    work: quickjsAsync },
  { name: "tree-sitter", wasm: ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-python/tree-sitter-python.wasm"],
    work: treeSitter },
  { name: "es-module-lexer", wasm: [], work: esModuleLexer },
  { name: "cjs-module-lexer", wasm: [], work: cjsModuleLexer },
  { name: "rollup", wasm: ["@rollup/wasm-node/dist/wasm-node/bindings_wasm_bg.wasm"], work: rollup },
];
