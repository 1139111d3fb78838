// michelson.mjs - writes a Michelson value, given as text, in the binary form that contracts send: Micheline.

// The primitives, in the order of their numbers (Octez' michelson_v1_primitives).
const PRIMITIVES = new Map((
  "parameter storage code False Elt Left None Pair Right Some True Unit PACK UNPACK BLAKE2B SHA256 SHA512 ABS ADD " +
  "AMOUNT AND BALANCE CAR CDR CHECK_SIGNATURE COMPARE CONCAT CONS CREATE_ACCOUNT CREATE_CONTRACT IMPLICIT_ACCOUNT " +
  "DIP DROP DUP EDIV EMPTY_MAP EMPTY_SET EQ EXEC FAILWITH GE GET GT HASH_KEY IF IF_CONS IF_LEFT IF_NONE INT LAMBDA " +
  "LE LEFT LOOP LSL LSR LT MAP MEM MUL NEG NEQ NIL NONE NOT NOW OR PAIR PUSH RIGHT SIZE SOME SOURCE SENDER SELF " +
  "STEPS_TO_QUOTA SUB SWAP TRANSFER_TOKENS SET_DELEGATE UNIT UPDATE XOR ITER LOOP_LEFT ADDRESS CONTRACT ISNAT CAST " +
  "RENAME bool contract int key key_hash lambda list map big_map nat option or pair set signature string bytes " +
  "mutez timestamp unit operation address SLICE DIG DUG EMPTY_BIG_MAP APPLY chain_id CHAIN_ID LEVEL SELF_ADDRESS " +
  "never NEVER UNPAIR VOTING_POWER TOTAL_VOTING_POWER KECCAK SHA3 PAIRING_CHECK bls12_381_g1 bls12_381_g2 " +
  "bls12_381_fr sapling_state sapling_transaction_deprecated SAPLING_EMPTY_STATE SAPLING_VERIFY_UPDATE ticket " +
  "TICKET_DEPRECATED READ_TICKET SPLIT_TICKET JOIN_TICKETS GET_AND_UPDATE chest chest_key OPEN_CHEST VIEW view " +
  "constant SUB_MUTEZ tx_rollup_l2_address MIN_BLOCK_TIME sapling_transaction EMIT Lambda_rec LAMBDA_REC TICKET " +
  "BYTES NAT Ticket"
).split(" ").map((name, number) => [name, number]));

const INT = 0, STRING = 1, SEQUENCE = 2, PRIMITIVE = 3, MANY = 9, BYTES = 10; // tags of nodes
const ESCAPES = { n: "\n", t: "\t", b: "\b", r: "\r", "\\": "\\", '"': '"' };
const TOKEN = /\s+|#[^\n]*|\/\*[^]*?\*\/|(-?\d+)(?![\w])|0x([0-9A-Fa-f]*)(?!\w)|"((?:[^"\\\n]|\\[ntbr\\"])*)"|([A-Za-z][\w]*)|([@:%][\w.%@]*)|([(){};])/y;
const MOST_DEPTH = 1000;
const MOST_DIGITS = 10_000; // in decimal; a message of 4096 bytes has room for fewer

const fail = text => {
  throw new Error(`is not a Michelson value: ${text}`);
};

/** The tokens: { kind, text }. */
function tokensOf(text) {
  const tokens = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const at = TOKEN.lastIndex, match = TOKEN.exec(text) ?? fail(`${JSON.stringify(text.slice(at, at + 20))} is no token`);
    const [, int, bytes, string, word, annotation, sign] = match;
    const kinds = { int, bytes, string, word, annotation, sign };
    const kind = Object.keys(kinds).find(name => kinds[name] !== undefined);
    if (kind) tokens.push({ kind, text: kinds[kind] });
  }
  return tokens;
}

const u32 = value => Buffer.of(value >>> 24, value >>> 16, value >>> 8, value);
const sized = bytes => Buffer.concat([u32(bytes.length), bytes]);

/** An integer: 6 bits and the sign, then 7 bits a byte, the lowest first. */
function intBytes(text) {
  if (text.length > MOST_DIGITS) fail(`a number has ${text.length} digits, and no message has room for that`);
  let rest = BigInt(text);
  const sign = rest < 0n ? 0x40 : 0, bytes = [];
  if (rest < 0n) rest = -rest;
  bytes.push(sign | Number(rest & 63n));
  for (rest >>= 6n; rest; rest >>= 7n) {
    bytes[bytes.length - 1] |= 0x80;
    bytes.push(Number(rest & 127n));
  }
  return Buffer.from(bytes);
}

/** A primitive: its tag says how many arguments (0, 1, 2 or more) it has, and whether there are annotations. */
function primitiveBytes(name, args, annotations) {
  const number = PRIMITIVES.get(name) ?? fail(`there is no primitive ${name}`);
  const notes = sized(Buffer.from(annotations.join(" ")));
  if (args.length > 2) return Buffer.concat([Buffer.of(MANY, number), sized(Buffer.concat(args)), notes]);
  const tag = PRIMITIVE + 2 * args.length + (annotations.length ? 1 : 0);
  return Buffer.concat([Buffer.of(tag, number), ...args, ...(annotations.length ? [notes] : [])]);
}

class Parser {
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
    this.depth = 0;
  }

  get next() {
    return this.tokens[this.at] ?? { kind: "end", text: "the end" };
  }

  accept(sign) {
    const isIt = this.next.kind === "sign" && this.next.text === sign;
    if (isIt) this.at++;
    return isIt;
  }

  demand(sign) {
    if (!this.accept(sign)) fail(`${this.next.text} in the place of ${sign}`);
  }

  /** A primitive with its annotations and arguments, as it is in parentheses and in sequences. */
  application() {
    const { text } = this.tokens[this.at++], annotations = [], args = [];
    while (this.next.kind === "annotation") annotations.push(this.tokens[this.at++].text);
    while (!["end", "annotation"].includes(this.next.kind) && !(this.next.kind === "sign" && ");}".includes(this.next.text)))
      args.push(this.value(false));
    return primitiveBytes(text, args, annotations);
  }

  sequence() {
    const parts = [];
    while (!this.accept("}")) {
      parts.push(this.value(true));
      if (!this.accept(";") && !(this.next.kind === "sign" && this.next.text === "}")) fail(`${this.next.text} in the place of ;`);
    }
    return Buffer.concat([Buffer.of(SEQUENCE), sized(Buffer.concat(parts))]);
  }

  /** `takesArguments`: a primitive here has arguments also without parentheses. */
  value(takesArguments) {
    if (++this.depth > MOST_DEPTH) fail(`it is deeper than ${MOST_DEPTH}`);
    const bytes = this.valueAt(takesArguments);
    this.depth--;
    return bytes;
  }

  valueAt(takesArguments) {
    const { kind, text } = this.next;
    if (kind === "word" && takesArguments) return this.application();
    if (this.accept("{")) return this.sequence();
    if (this.accept("(")) {
      const bytes = this.next.kind === "word" ? this.application() : this.value(true);
      this.demand(")");
      return bytes;
    }
    this.at++;
    if (kind === "word") return primitiveBytes(text, [], []);
    if (kind === "int") return Buffer.concat([Buffer.of(INT), intBytes(text)]);
    if (kind === "string")
      return Buffer.concat([Buffer.of(STRING), sized(Buffer.from(text.replace(/\\(.)/g, (_, letter) => ESCAPES[letter])))]);
    if (kind === "bytes" && text.length % 2 === 0) return Buffer.concat([Buffer.of(BYTES), sized(Buffer.from(text, "hex"))]);
    return fail(kind === "bytes" ? `0x${text} has half a byte` : `${text} is in the place of a value`);
  }
}

/** The bytes of a value: `Pair 1 "a"`, `Unit`, `{ Elt 1 0xcafe }`. */
export function michelsonBytes(text) {
  const parser = new Parser(tokensOf(text)), bytes = parser.value(true);
  if (parser.next.kind !== "end") fail(`${parser.next.text} follows it`);
  return bytes;
}
