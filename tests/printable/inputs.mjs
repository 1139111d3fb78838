// inputs.mjs - files of every format that toll reads, with hostile text in each of their text fields.

// ESC and a C1 control that set a colour, line ends that forge a line, DEL, characters that turn the
// direction of text.
export const HOSTILE = "\x1b[31m\u009b1m\x07\x7f\u202e\u2066\u2069\u200b\u200d\ufeff\u200e\u200f\u061c\u2028\u0085\r\nFORGED: ok";
// The same for formats of lines.
const IN_LINE = HOSTILE.replace("\r\n", "").replace(";", "");

const evil = name => name + HOSTILE;
const evilLine = name => name + IN_LINE;

// --- pprof: protobuf by hand ---------------------------------------------------------------------------

const varint = value => {
  const bytes = [];
  for (value = BigInt(value); value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  return Buffer.from([...bytes, Number(value)]);
};
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, body) => Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

export function pprof({ names = evil, values = 2 } = {}) {
  const strings = [""];
  const text = string => strings.push(string) - 1;
  const parts = [];
  for (let i = 0; i < values; i++)
    parts.push(message(1, number(1, text(names("type" + i))), number(2, text(names("unit" + i)))));
  const label = message(3, number(1, text("thread")), number(2, text(names("thread"))));
  const other = message(3, number(1, text(names("key"))), number(2, text(names("label"))));
  const samples = Array(values).fill(Buffer.from([5]));
  parts.push(message(2, message(1, varint(1)), message(2, ...samples), label, other));
  parts.push(message(3, number(1, 1), number(5, text(names("mapping"))), number(7, 1)));
  parts.push(message(4, number(1, 1), number(2, 1), number(3, 7), message(4, number(1, 1), number(2, 3))));
  parts.push(message(5, number(1, 1), number(2, text(names("function"))), number(3, text(names("system"))),
                     number(4, text(names("file"))), number(5, 9)));
  parts.push(number(13, text(names("comment"))), number(13, text("toll: 3 " + names("note"))));
  parts.push(number(14, text(names("default"))));
  for (const string of strings) parts.push(bytes(6, Buffer.isBuffer(string) ? string : Buffer.from(string)));
  return Buffer.concat(parts);
}

// --- JSON ----------------------------------------------------------------------------------------------

const frames = [{ name: evil("f"), file: evil("file"), line: 3 }, { name: evil("g") }];

function speedscope(profile) {
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json", shared: { frames },
    profiles: [profile], name: evil("name"), exporter: evil("exporter"), notes: [`3 ${evil("note")}`],
  });
}

const sampled = { type: "sampled", name: evil("profile"), unit: "none", startValue: 0, endValue: 5,
                  samples: [[0, 1], [0]], weights: [3, 2] };
const evented = { type: "evented", name: evil("profile"), unit: "microseconds", startValue: 0, endValue: 5,
                  events: [{ type: "O", at: 0, frame: 0 }, { type: "O", at: 1, frame: 1 },
                           { type: "C", at: 3, frame: 1 }, { type: "C", at: 5, frame: 0 }] };

const samples = metric => ({ Samples: [{ Stack: [evil("f"), evil("g")], Metric: metric }] });
const perfview = { Notes: [`3 ${evil("note")}`], ...samples(3), StackSource: samples("4") };

const event = (ph, ts, name) => ({ ph, ts, name, cat: evil("cat"), pid: evil("pid"), tid: evil("tid") });
const chrome = { traceEvents: [
  { ph: "M", pid: 1, tid: 1, name: "thread_name", args: { name: evil("thread") } },
  { ph: "X", ts: 0, dur: 4, pid: 1, tid: 1, name: evil("x"), cat: evil("cat") },
  { ph: "X", ts: 1, dur: 8, pid: 1, tid: 1, name: evil("sticks out") },
  event("B", 10, evil("b")), event("E", 14, evil("b")), event(evil("Q"), 1, evil("odd")),
], displayTimeUnit: evil("ns") };

const stack = `Error\n    at Object.onMalloc (http://h/a.js:1:2)\n    at ${evilLine("f")} (http://h/${evilLine("a")}.wasm:wasm-function[9]:0x19f6)`;
const emscripten = { detailedHeapUsage: true, allocationsAtLoc: { [stack]: [3, 3000, evil("html")] },
                     sbrkSources: [{ stack: evilLine("f"), begin: 0, end: 4096, color: evil("#fff") }] };

// --- lines ---------------------------------------------------------------------------------------------

const PROGRAM = "Vau1t11111111111111111111111111111111111111";
const solanaLines = [
  `Program ${PROGRAM} invoke [1]`, `Program log: ${evilLine("Instruction")}`,
  "Program consumption: 199000 units remaining", `Program log: ${evilLine("after")}`,
  "Program consumption: 191500 units remaining",
  `Program log: CU log:  1 ${evilLine("section")} consumed   1234 CU (net   1234 CU)`,
  `Program ${PROGRAM} consumed 9000 of 200000 compute units`,
  `Program ${PROGRAM} failed: ${evilLine("why")}`,
];
const solana = solanaLines.join("\n") + "\n";
const solanaJson = JSON.stringify({ result: { meta: { err: evil("err"), logMessages:
  solanaLines.map(line => line.replace("why", HOSTILE)) } } });

const supcom = [
  `info: prof: c:\\games\\gamedata\\${evilLine("f")}.lua,3,${evilLine("name")},5;3,0.5,t,f`,
  `info: prof: ${evilLine("g")}.lua,3,f,5;${evilLine("h")}.lua,9,h,10;3,0.25,t,f`,
  `info: prof: ${evilLine("damaged")}`, `info: ${evilLine("other")}`,
].join("\n") + "\n";

const folded = `${evilLine("f")};${evilLine("g")} 5\n${evilLine("f")} 3\n`;

// Files by name, each with the format that it is of. A file of no format at all is there too: the answer to
// it quotes its name only.
export const files = {
  "types.pb": pprof(),
  "one.pb": pprof({ values: 1 }),
  "damaged.pb": pprof({ names: name => Buffer.concat([Buffer.from(evil(name)), Buffer.from([0xff, 0x9b])]) }),
  "sampled.speedscope.json": speedscope(sampled),
  "evented.speedscope.json": speedscope(evented),
  "unit.speedscope.json": speedscope({ ...sampled, unit: evil("unit") }),
  "type.speedscope.json": speedscope({ ...sampled, type: evil("type") }),
  "frame.speedscope.json": speedscope({ ...sampled, samples: [[7]], weights: [1] }),
  "x.perfview.json": JSON.stringify(perfview),
  "metric.perfview.json": JSON.stringify({ StackSource: samples(evil("3")) }),
  "x.trace.json": JSON.stringify(chrome),
  "x.emscripten.json": JSON.stringify(emscripten),
  "text.log": solana,
  "rpc.log": solanaJson,
  "game.sclog": supcom,
  "x.folded": folded,
  "bytes.folded": Buffer.concat([Buffer.from(evilLine("f")), Buffer.from([0xff, 0x9b, 0xe2, 0x80]), Buffer.from(";g 5\n")]),
  "bad.folded": evilLine("main;x") + " y z\n",
  "other.bin": Buffer.from(HOSTILE + "\0"),
};

export const names = `${PROGRAM} ${evilLine("vault")}\n`;
export const badNames = `${evilLine("vault")}\n`;
export const costs = `${evilLine("i32.mul")} 3\n`;

// --- WebAssembly ---------------------------------------------------------------------------------------

const section = (id, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([id]), varint(body.length), body]);
};
const name = text => Buffer.concat([varint(Buffer.byteLength(text)), Buffer.from(text)]);

// One function that is exported and has a name; `body` is its code.
export function wasm(body = [0x00, 0x0b], { imports = true } = {}) {
  const f = imports ? 1 : 0;
  const named = Buffer.concat([varint(1), varint(f), name(evil("f"))]);
  return Buffer.concat([
    Buffer.from("\0asm\x01\0\0\0", "latin1"),
    section(1, Buffer.from([1, 0x60, 0, 0])),
    ...imports ? [section(2, Buffer.from([1]), name(evil("module")), name(evil("field")), Buffer.from([0, 0]))] : [],
    section(3, Buffer.from([1, 0])),
    section(7, Buffer.from([1]), name(evil("export")), Buffer.from([0, f])),
    section(10, Buffer.from([1, body.length, ...body])),
    section(0, name(evil("custom")), Buffer.from("x")),
    section(0, name("name"), Buffer.from([1]), varint(named.length), named),
  ]);
}
