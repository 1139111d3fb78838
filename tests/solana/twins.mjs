// twins.mjs - lines that are found afterwards, in the unstripped twin of the file that gave a profile its names.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { buildId, exit, program } from "./program.mjs";
import { id, traces } from "./traced.mjs";

/** Holds for files with the linker's id, and without one: the twin gives the lines that `expected` (functions of toll
 * annotate) has; the module is the name of the file. A file of another build is refused, and both ids are named. */
export function twins(toll, dir, { code, functions, debug, rest }, expected, logs = []) {
  const run = (...args) => spawnSync(toll, args, { encoding: "utf8" });
  const works = (...args) => {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const names = `${dir}/names/program.so`, whole = `${dir}/whole/program.so`, other = `${dir}/other/program.so`;
  const profile = `${dir}/names.pb.gz`, later = `${dir}/later.pb.gz`;
  for (const folder of ["names", "whole", "other"]) mkdirSync(`${dir}/${folder}`, { recursive: true });
  for (const note of [[], [buildId([0xab, 1, 0xff])]]) {
    writeFileSync(names, program(code, functions, note, rest));
    writeFileSync(whole, program(code, functions, [...debug, ...note], rest));
    writeFileSync(other, program([...code, exit], functions, [...debug, buildId([0xcd])], rest));
    works("convert", "-q", "--lines", "--elf", `${id}=${names}`, ...logs, traces, "-o", profile);
    const { status, stderr } = run("convert", "-q", "--debug", other, profile, "-o", later);
    assert.notEqual(status, 0);
    assert.match(stderr, new RegExp(`other/program.so: is of build cd, and the profile of build ${note.length ? "ab01ff" : "[0-9a-f]{16}"};`));
    for (const file of [whole, `${dir}/whole`]) {
      works("convert", "-q", "--debug", file, profile, "-o", later);
      assert.deepEqual(JSON.parse(works("annotate", "-q", "--json", later)).functions, expected.map(f => (f.module ? { ...f, module: "program.so" } : f)));
    }
  }
}
