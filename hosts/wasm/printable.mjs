// printable.mjs - escapes text that came from elsewhere, for a terminal: src/base/printable.h in JavaScript.

// C0 and C1 controls and DEL, characters that set the direction of text, line ends, halves of surrogate pairs.
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

const escape = character => {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
};

export const printable = text => String(text).replace(UNPRINTABLE, escape);
