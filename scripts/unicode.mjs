// unicode.mjs - writes src/base/unicode_category.c: the general category of each character, by Node's version of Unicode.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const NAMES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split(" ");
const tests = NAMES.map(name => new RegExp(`^\\p{${name}}$`, "u"));
let last = 0;

/** The category of a character. Neighbours often share one, so the previous one is tried first. */
function category(code) {
  const text = String.fromCodePoint(code);
  if (!tests[last].test(text)) last = tests.findIndex(test => test.test(text));
  return last;
}

const runs = [];
for (let code = 0, before = -1; code <= 0x10ffff; code++) {
  const now = category(code);
  if (now !== before) runs.push(`0x${(code * 32 + now).toString(16)},`);
  before = now;
}
const lines = [];
for (let line = ""; runs.length || line; line = runs.shift() ?? "")
  if (line) {
    while (runs.length && `${line} ${runs[0]}`.length <= 96) line += ` ${runs.shift()}`;
    lines.push(`    ${line}`);
  }
const text = `/* unicode_category.c - see unicode_category.h. Made by scripts/unicode.mjs from Unicode
 * ${process.versions.unicode}: do not edit. */
// clang-format off
#include "base/unicode_category.h"

const char toll_unicode_categories[][3] = {
    ${NAMES.slice(0, 15).map(n => `"${n}",`).join(" ")}
    ${NAMES.slice(15).map(n => `"${n}",`).join(" ")}
};
const size_t toll_unicode_category_count = sizeof toll_unicode_categories / sizeof *toll_unicode_categories;

const uint32_t toll_unicode_runs[] = {
${lines.join("\n")}
};
const size_t toll_unicode_run_count = sizeof toll_unicode_runs / sizeof *toll_unicode_runs;
`;
writeFileSync(fileURLToPath(new URL("../src/base/unicode_category.c", import.meta.url)), text);
