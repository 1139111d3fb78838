// printable.mjs - escapes text of other origin for terminals and pages, like src/base/printable.h.

// C0 and C1 controls and DEL, characters that set the direction of text, line ends, invisible characters, halves of surrogate pairs.
// eslint-disable-next-line no-control-regex, no-misleading-character-class
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\p{Surrogate}/gu;

const escapeOf = character => {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
};

export const printable = text => String(text).replace(UNPRINTABLE, escapeOf);
