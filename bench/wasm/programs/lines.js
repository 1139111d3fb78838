// lines.js - for bench/wasm/programs.sh: QuickJS reads FILE line by line, and prints it in capital letters, ROUNDS times. Input
// and output. Needs --dir .
import * as std from "qjs:std";
const [, name, rounds] = scriptArgs;
for (let i = 0; i < Number(rounds); i++) {
  const file = std.open(name, "r");
  for (let line; (line = file.getline()) !== null;) {
    std.out.puts(`${line.toUpperCase()}\n`);
    std.out.flush();
  }
  file.close();
}
