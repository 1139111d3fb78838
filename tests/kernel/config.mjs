// config.mjs LIB - the configuration of a kernel's installer, in YAML and in JSON, and the messages about wrong ones.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Kernel, hex } from "./host.mjs";

const { parseInstallerConfig: parse } = await import(pathToFileURL(path.join(process.argv[2], "kernel", "installer_config.mjs")));
const read = (text, name = "config.yaml") => parse(text, name).map(({ to, value }) => `${to}=${hex(value)}`);

test("YAML as installers' files have it, and the same as JSON", () => {
  const yaml = `---
# a comment
instructions:
  - set:
      value: 0aFF
      to: /a/b    # where
  - set: # with 0x, quotes, and the other order
      to: "/c"
      value: '0x01'
  -
    set:
      value:
      to: /empty
`;
  assert.deepEqual(read(yaml), ["/a/b=0aff", "/c=01", "/empty="]);
  assert.deepEqual(read("instructions:\n- set:\n    value: 1234\n    to: /n\r\n- set:\n    value: 00\n    to: /m\n"), ["/n=1234", "/m=00"], "numbers are text");
  assert.deepEqual(read("instructions: []"), []);
  const json = { instructions: [{ set: { value: "0aff", to: "/a/b" } }, { set: { value: null, to: "/e" } }] };
  assert.deepEqual(read(JSON.stringify(json), "config.json"), ["/a/b=0aff", "/e="]);
});

test("what is wrong is told with its place", () => {
  const wrong = [
    ["", /^config.yaml: has no list of instructions; write/],
    ["instructions:\n- move:\n    from: /a\n", /^config.yaml: instruction 0: is "move"; only "set" is run here/],
    ["instructions:\n- set:\n    value: 0g\n    to: /a\n", /instruction 0: "value" is not hex: "0g"/],
    ["instructions:\n- set:\n    value: 00\n", /"to" is no key/],
    ["instructions:\n- set:\n    value: 00\n    to: /a\n    too: b\n", /is not \{"set"/],
    ["instructions:\n\t- set:\n", /^config.yaml:2: is indented by a tab/],
    ["instructions:\n- set: {value: 00, to: /a}\n", /^config.yaml:2: .* is no plain text/],
    ["instructions:\n- set:\n    to: /a\n    to: /b\n", /^config.yaml:4: "to" is there twice/],
    ["  instructions:\n- set:\n", /^config.yaml:2: is not indented as what it belongs to/],
    ["instructions:\n- set:\n    to: &a /a\n", /is no plain text/],
    [`instructions:\n${"- ".repeat(100_000)}x\n`, /^config.yaml:2: is indented by more than 200 blanks/],
    [Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), /^config.yaml:202: is indented by more than 200 blanks/],
    ["more: 1\n", /has no list of instructions/],
  ];
  for (const [text, message] of wrong) assert.throws(() => parse(text, "config.yaml"), error => message.test(error.message), `${text} is told as ${message}`);
  assert.throws(() => parse("{", "config.json"), /^Error: config.json: is no JSON/);
});

test("keys are set before the kernel runs, of any size, and not where it may not write", () => {
  const kernel = new Kernel(), big = new Uint8Array(5000).fill(7);
  kernel.configure([{ to: "/a", value: big }, { to: "/b", value: new Uint8Array(0) }]);
  assert.deepEqual([kernel.store.get("/a"), kernel.store.get("/b")], [big, new Uint8Array(0)]);
  assert.throws(() => kernel.configure([{ to: "/a", value: big }, { to: "/readonly/x", value: big }]), /instruction 1 of the installer's .*read-only/);
  assert.throws(() => kernel.configure([{ to: "a", value: big }]), /instruction 0 .* is not a key/);
});
