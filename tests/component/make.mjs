// make.mjs APP TWO HTTP STORE - makes components: app.component.wasm of a module of WASI preview 1, two.wasm and others of text, http.wasm
// and store.wasm of texts of modules, and what is damaged.
import fs from "node:fs";
import path from "node:path";
import { transpileBytes } from "@bytecodealliance/jco-transpile";
import { componentEmbed, componentNew, parse, print } from "@bytecodealliance/jco-transpile/wasm-tools";

const [app, two, http, store] = process.argv.slice(2);
const adapter = fs.readFileSync("package/lib/wasi_snapshot_preview1.command.wasm");
const program = await componentNew(fs.readFileSync(app), [["wasi_snapshot_preview1", adapter]]);
fs.writeFileSync("app.component.wasm", program);
/** Write a component as JavaScript to the folder js, and a program that loads it. */
async function transpiled(component, name, script) {
  const { files } = await transpileBytes(component, { name, emitTypescriptDeclarations: false });
  for (const [file, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(`js/${file}`), { recursive: true });
    fs.writeFileSync(`js/${file}`, content);
  }
  fs.writeFileSync(`js/${name}.program.mjs`, script);
}
await transpiled(program, "app", 'import { run } from "./app.js";\nrun.run();\n');
fs.writeFileSync("js/package.json", '{"type":"module"}');
fs.writeFileSync("cut.wasm", program.slice(0, program.length / 2));
for (const [name, text] of Object.entries({
  two: fs.readFileSync(two, "utf8"),
  empty: "(component)",
  // Its export is a type alone; there is no core module.
  typed: '(component (type $t u32) (export "t" (type $t)))',
  takes: `(component
    (import "my:host/things" (instance $things (export "f" (func))))
    (core func $f (canon lower (func $things "f")))
    (core module $m (import "h" "f" (func $f)) (func (export "run") call $f))
    (core instance $i (instantiate $m (with "h" (instance (export "f" (func $f))))))
    (func (export "run") (canon lift (core func $i "run"))))`,
  values: `(component
    (core module $m
      (func (export "twice") (param i64) (result i64) (i64.mul (local.get 0) (i64.const 2)))
      (func (export "half") (param f64) (result f64) (f64.div (local.get 0) (f64.const 2)))
      (func (export "fails") (param i32) (result i32) local.get 0))
    (core instance $i (instantiate $m))
    (func $twice (param "n" s64) (result s64) (canon lift (core func $i "twice")))
    (func $half (param "x" f64) (result f64) (canon lift (core func $i "half")))
    (func (export "fails") (param "b" bool) (result (result)) (canon lift (core func $i "fails")))
    (instance $math (export "twice" (func $twice)) (export "half" (func $half)))
    (export "my:own/math" (instance $math)))`,
  failing: `(component
    (core module $m (func (export "run") (result i32) i32.const 1))
    (core instance $i (instantiate $m))
    (func $run (result (result)) (canon lift (core func $i "run")))
    (instance $all (export "run" (func $run)))
    (export "wasi:cli/run@0.2.0" (instance $all)))`,
  payload: `(component
    (core module $m (memory (export "m") 1) (data (i32.const 8) "\\01\\00\\00\\00\\05")
      (func (export "run64") (param i64) (result i32) i32.const 8))
    (core instance $i (instantiate $m))
    (alias core export $i "m" (core memory $memory))
    (func (export "to-do") (param "n" u64) (result (result u32 (error u32))) (canon lift (core func $i "run64") (memory $memory))))`,
  owns: `(component
    (core module $a (global (export "ticks") (mut i64) (i64.const 77)))
    (core module $b (import "toll" "ticks" (global (mut i64))) (func (export "run") (result i64) global.get 0))
    (core instance $ia (instantiate $a))
    (core instance $ib (instantiate $b (with "toll" (instance $ia))))
    (func (export "run") (result u64) (canon lift (core func $ib "run"))))`,
  memories: `(component
    (core module $m (memory 1) (func $malloc (export "malloc") (param i32) (result i32) local.get 0))
    (core instance $a (instantiate $m))
    (core instance $b (instantiate $m))
    (func (export "run") (param "n" u32) (result u32) (canon lift (core func $a "malloc"))))`,
  // Components in it, one of which is in another; and an alias of a core module of its own.
  inner: `(component
    (core module $own (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))
    (component $double
      (core module $m (func (export "twice") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2))))
      (core instance $i (instantiate $m))
      (func (export "twice") (param "n" u32) (result u32) (canon lift (core func $i "twice"))))
    (component $passes
      (component $in
        (core module $m (func (export "same") (param i32) (result i32) local.get 0))
        (core instance $i (instantiate $m))
        (func (export "same") (param "n" u32) (result u32) (canon lift (core func $i "same"))))
      (instance $in (instantiate $in))
      (alias export $in "same" (func $same))
      (export "same" (func $same)))
    (instance $a (instantiate $double))
    (instance $passes (instantiate $passes))
    (alias export $a "twice" (func $a-twice))
    (alias export $passes "same" (func $same))
    (core func $twice (canon lower (func $a-twice)))
    (core func $same-core (canon lower (func $same)))
    (core module $main
      (import "i" "twice" (func $twice (param i32) (result i32)))
      (import "i" "same" (func $same (param i32) (result i32)))
      (import "own" "add" (func $add (param i32 i32) (result i32)))
      (func (export "run") (param i32) (result i32)
        (call $add (call $twice (local.get 0)) (call $same (i32.const 2)))))
    (alias outer 0 $own (core module $same-module))
    (core instance $o (instantiate $same-module))
    (core instance $im (instantiate $main (with "own" (instance $o))
      (with "i" (instance (export "twice" (func $twice)) (export "same" (func $same-core))))))
    (func (export "run") (param "n" u32) (result u32) (canon lift (core func $im "run"))))`,
  // Of two components, one of which calls the other; it has no core module itself, as those that tools compose.
  composed: `(component
    (component $a
      (core module $m (func (export "twice") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2))))
      (core instance $i (instantiate $m))
      (func (export "twice") (param "n" u32) (result u32) (canon lift (core func $i "twice"))))
    (component $b
      (import "twice" (func $twice (param "n" u32) (result u32)))
      (core func $lowered (canon lower (func $twice)))
      (core module $m (import "i" "twice" (func $twice (param i32) (result i32)))
        (func (export "run") (param i32) (result i32) (call $twice (local.get 0))))
      (core instance $i (instantiate $m (with "i" (instance (export "twice" (func $lowered))))))
      (func (export "run") (param "n" u32) (result u32) (canon lift (core func $i "run"))))
    (instance $ia (instantiate $a))
    (alias export $ia "twice" (func $twice))
    (instance $ib (instantiate $b (with "twice" (func $twice))))
    (alias export $ib "run" (func $run))
    (export "run" (func $run)))`,
  // What a component gives to others, or another one to it.
  outer_module: `(component
    (core module $m (func (export "f")))
    (component (alias outer 1 $m (core module $x)) (core instance (instantiate $x))))`,
  argument: `(component
    (core module $m (func (export "f")))
    (component $c (import "m" (core module $x)) (core instance (instantiate $x)))
    (instance (instantiate $c (with "m" (core module $m)))))`,
  passed: `(component
    (component $inner
      (core module $m (func (export "f")))
      (core instance $i (instantiate $m))
      (func (export "f") (canon lift (core func $i "f"))))
    (component $user (import "c" (component $c (export "f" (func)))) (instance $i (instantiate $c))
      (alias export $i "f" (func $f)) (export "f" (func $f)))
    (instance $u (instantiate $user (with "c" (component $inner))))
    (alias export $u "f" (func $f))
    (export "f" (func $f)))`,
  taken: `(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
    (func (export "toll-profile") (canon lift (core func $i "f"))))`,
  nested: `${"(component ".repeat(90)}${")".repeat(90)}`,
}))
  fs.writeFileSync(`${name}.wasm`, await parse(text));

/** Components within components. */
function nested(depth) {
  const header = [0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0], leb = n => n < 128 ? [n] : [(n & 127) | 128, ...leb(n >>> 7)];
  let parts = [Buffer.from(header)], size = header.length;
  for (let i = 0; i < depth; i++) {
    const around = Buffer.from([...header, 4, ...leb(size)]);
    parts.push(around);
    size += around.length;
  }
  return Buffer.concat(parts.reverse());
}
fs.writeFileSync("deep.wasm", nested(10000));

/** A module with the world of a server, wasi:http/proxy. Packages in one text have braces. */
async function proxy(module) {
  const folder = "package/lib/wit/builtin/0.2.12", texts = fs.readdirSync(folder).map(each => fs.readFileSync(`${folder}/${each}/package.wit`, "utf8"));
  const packages = texts.map(text => `${text.replace(/^(package [^;]*);/m, "$1 {")}}\n`).join("");
  const witSource = `package my:app;\nworld app { include wasi:http/proxy@0.2.12; }\n${packages}`;
  return componentNew(await componentEmbed({ binary: module, witSource, world: "app" }), []);
}
const server = await proxy(await parse(fs.readFileSync(http, "utf8")));
fs.writeFileSync("http.wasm", server);
// The same as JavaScript, with the program that jco serve makes of it.
await transpiled(server, "http", `
const { incomingHandler } = await import("./http.js");
import { HTTPServer } from "@bytecodealliance/preview2-shim/http";
const server = new HTTPServer(incomingHandler);
server.listen(0, "127.0.0.1");
console.error(\`toll: http://127.0.0.1:\${server.address().port} is served\`);
`);

// With debug information.
const ofC = { binary: fs.readFileSync("calls.wasm"), witSource: "package my:app;\nworld app { export run: func(n: s32) -> s32; }", world: "app" };
fs.writeFileSync("lines.wasm", await componentNew(await componentEmbed(ofC), []));

/** Two components, composed as wac plug does it: one has a resource, which the other makes, lends, and gives back. */
async function composed(file) {
  const [, witSource, provider, consumer] = /^(.*)^;; provider$(.*)^;; consumer$(.*)/ms.exec(fs.readFileSync(file, "utf8"));
  const inner = async (world, text) => {
    const made = await componentNew(await componentEmbed({ binary: await parse(text), witSource, world }), []);
    return (await print(made)).replace(/^\(component(?: \$\S+)?/, `(component $${world}`);
  };
  return parse(`(component ${await inner("provider", provider)} ${await inner("consumer", consumer)}
    (instance $p (instantiate $provider))
    (alias export $p "my:store/counters" (instance $counters))
    (instance $c (instantiate $consumer (with "my:store/counters" (instance $counters))))
    (alias export $c "run" (func $run))
    (export "run" (func $run)))`);
}
fs.writeFileSync("store.wasm", await composed(store));
