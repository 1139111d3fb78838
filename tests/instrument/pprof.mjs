// pprof.mjs - reads an uncompressed profile of pprof.

/** The fields of a message of protobuf: [number, value], where a value is a BigInt or bytes. */
function* fields(bytes) {
  let at = 0;
  const number = () => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(number()), size = key & 7 ? Number(number()) : 0;
    yield [key >> 3, key & 7 ? bytes.subarray(at, at += size) : number()];
  }
}
const all = (bytes, wanted) => [...fields(bytes)].filter(([n]) => n === wanted).map(([, value]) => value);
const one = (bytes, wanted) => all(bytes, wanted)[0] ?? 0n;

function numbers(bytes) {
  const out = [];
  let value = 0n, shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte < 128) out.push(value), value = shift = 0n;
  }
  return out;
}

/** When the run began, in nanoseconds since 1970. */
export const startTime = pprof => one(pprof, 9);

/** The samples of a profile: { addresses, names, lines ("NAME FILE:BEGIN:LINE", with inlined ones; "@ADDRESS" for LINE 0),
 *  values by column }; the innermost frame first. */
export function samples(pprof) {
  const texts = all(pprof, 6).map(bytes => new TextDecoder().decode(bytes));
  const columns = all(pprof, 1).map(type => texts[Number(one(type, 1))]);
  const functions = new Map(all(pprof, 5).map(f => [one(f, 1), texts[Number(one(f, 2))]]));
  const sources = new Map(all(pprof, 5).map(f => [one(f, 1), `${texts[Number(one(f, 2))]} ${texts[Number(one(f, 4))]}:${one(f, 5)}`]));
  const place = (location, line) => one(line, 2) || `@${one(location, 3)}`;
  const lines = new Map(all(pprof, 4).map(location =>
    [one(location, 1), all(location, 4).map(line => `${sources.get(one(line, 1))}:${place(location, line)}`)]));
  const names = new Map(all(pprof, 4).map(location => [one(location, 1), functions.get(one(one(location, 4), 1))]));
  const addresses = new Map(all(pprof, 4).map(location => [one(location, 1), one(location, 3)]));
  return all(pprof, 2).map(sample => {
    const stack = numbers(one(sample, 1) || []);
    return {
      addresses: stack.map(id => addresses.get(id)),
      names: stack.map(id => names.get(id)),
      lines: stack.flatMap(id => lines.get(id)),
      values: Object.fromEntries(numbers(one(sample, 2)).map((value, i) => [columns[i], value])),
    };
  });
}
