// timeline_model.mjs - Random events in order of time, and their meaning as lists of calls, computed in a simple way
// for comparison with the page.

export function seeded(seed) {
  return below => ((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >> 8) % Math.ceil(below);
}

/** Events [code, step, second] of a thread and its calls by depth, { rows, depth, open, first, last, end }.
 *  A call is { frame, again, nested, begin: by axis, end: by axis, child }. still: many events at the same position. */
export function randomEvents(random, { events: wanted, functions, deepest, axes = 1, still = false, begin = 0 }) {
  const events = [], rows = [], open = [], now = [begin, 0].slice(0, axes);
  let depth = 0;
  for (let n = 0; n < wanted; n++) {
    const closes = open.length === deepest || (open.length && random(2));
    const steps = now.map((_, axis) => n === 0 && axis === 0 ? 0 : still && random(3) ? 0 : random(random(20) ? 9 : 4000));
    steps.forEach((step, axis) => { now[axis] += step; });
    if (closes) {
      open.pop().end = now.slice();
      events.push([0, ...steps]);
      continue;
    }
    const frame = random(functions), again = random(6) ? 0 : 1, row = rows[open.length] ??= [];
    const call = { frame, again, nested: open.some(c => c.frame === frame) ? 1 : 0, begin: now.slice(), child: rows[open.length + 1]?.length ?? 0 };
    row.push(call);
    open.push(call);
    depth = Math.max(depth, open.length);
    events.push([(again ? 2 : 1) + 2 * frame, ...steps]);
  }
  for (const call of open) call.end = now.slice();
  return { events, rows, depth, open: open.length, first: [begin, 0].slice(0, axes), last: now, end: now[0] };
}

/** The same with closes at the end, as a page has them. unended: how many frames end there, as far as can be told. */
export function closed(model) {
  const events = [...model.events, ...Array.from({ length: model.open }, () => model.events[0].map(() => 0))];
  let unended = 0;
  for (let n = events.length; n-- > 0 && events[n][0] === 0 && events[n][1] === 0;) unended++;
  return { ...model, events, unended };
}

/** Call work(stack, own, call, thread) for the calls that filters keep, outermost frame first; own: the call's self value in a range of an
 *  axis. focus, ignore: lists of frames, or null. */
function eachKept(threads, axis, { from, to }, focus, ignore, work) {
  const inside = c => Math.max(0, Math.min(c.end[axis], to) - Math.max(c.begin[axis], from));
  threads.forEach(({ rows }, thread) => {
    const visit = (depth, i, callers) => {
      const call = rows[depth][i], stack = [...callers, call.frame], next = rows[depth + 1] ?? [];
      const callees = Array.from({ length: (rows[depth][i + 1]?.child ?? next.length) - call.child }, (_, n) => call.child + n);
      const own = inside(call) - callees.reduce((sum, c) => sum + inside(next[c]), 0);
      for (const callee of callees) visit(depth + 1, callee, stack);
      if ((focus && !stack.some(f => focus.includes(f))) || (ignore && stack.some(f => ignore.includes(f)))) return;
      work(stack, own, call, thread);
    };
    rows[0]?.forEach((_, i) => visit(0, i, []));
  });
}

/** Self, total and calls by function of the calls that filters keep, in a range of an axis: summed up stack by stack. last: whether the
 *  range is up to the end. { whole, sums: a map of frames to { self, total, calls } }. */
export function keptSums(threads, axis, range, focus, ignore) {
  const sums = new Map(), of = f => sums.get(f) ?? sums.set(f, { self: 0, total: 0, calls: 0 }).get(f), { from, to, last } = range;
  let whole = 0;
  eachKept(threads, axis, range, focus, ignore, (stack, own, call) => {
    whole += own;
    of(call.frame).self += own;
    for (const f of new Set(stack)) of(f).total += own;
    if (!call.again && call.begin[axis] >= from && (call.begin[axis] < to || (last && call.begin[axis] <= to))) of(call.frame).calls++;
  });
  return { whole, sums: new Map([...sums].filter(([, { total, calls }]) => total || calls)) };
}

/** Totals of callers and callees of a function, as lists [frame, total] by frame: a thread is the frame functions + its number. */
export function keptNeighbours(threads, axis, range, focus, ignore, functions, wanted) {
  const callers = new Map(), callees = new Map(), add = (sums, frame, own) => sums.set(frame, (sums.get(frame) ?? 0) + own);
  eachKept(threads, axis, range, focus, ignore, (stack, own, _, thread) => {
    const outermost = stack.indexOf(wanted);
    if (outermost >= 0) add(callers, outermost ? stack[outermost - 1] : functions + thread, own);
    for (const frame of new Set(stack.filter((_, i) => i && stack[i - 1] === wanted))) add(callees, frame, own);
  });
  const list = sums => [...sums].filter(([, total]) => total > 0).sort((a, b) => a[0] - b[0]);
  return { callers: list(callers), callees: list(callees) };
}

/** LEB128. */
export function varints(numbers) {
  const bytes = [];
  for (let n of numbers) {
    for (; n > 127; n = Math.floor(n / 128)) bytes.push(n % 128 + 128);
    bytes.push(n);
  }
  return Uint8Array.from(bytes);
}

/** The bytes of the blocks. */
export const eventBytes = ({ events, first }) =>
  ({ events: varints(events.map(e => e[0])), steps: first.map((_, axis) => varints(events.map(e => e[1 + axis]))) });

const u32 = n => [n & 255, n >> 8 & 255, n >> 16 & 255, n >>> 24];
const u64 = n => [...u32(n % 2 ** 32), ...u32(Math.floor(n / 2 ** 32))];
const text = t => { const bytes = new TextEncoder().encode(t); return [...varints([bytes.length]), ...bytes]; };
const definition = (kind, rest) => [kind, ...varints([rest.length]), ...rest];
const block = (kind, thread, body, now, open) =>
  [kind, 0, 0, 0, ...u32(body.length + 40), ...u32(thread), ...u32(0), ...u64(now[0]), ...u64(now[1] ?? 0), ...u64(open), ...body];

/** A file NAME.toll-timeline (docs/timeline.md) of threads [{ name, events }], as randomEvents makes them, with a name for each
 *  function, [name, file, line]. cut: it was not ended. */
export function timelineFile(threads, functions, { axes = [["time", "nanoseconds"]], cut = false } = {}) {
  const define = axes.map(([type, unit]) => definition(1, [...text(type), ...text(unit)]));
  const frames = functions.map(([name, file = "", line = 0]) =>
    definition(2, [...text(name), ...text(file), ...varints([line, 0]), ...text(""), ...text(""), ...text(""), ...varints([0, 0, 0])]));
  const named = threads.map(({ name }) => definition(3, text(name)));
  const end = cut ? [] : [definition(7, varints([threads.reduce((sum, t) => sum + t.events.length, 0)]))];
  const parts = [[0x89, 0x54, 0x4c, 0x54, 13, 10, 26, 10, ...u32(1), ...u32(0)], block(1, 0, [...define, ...frames, ...named, ...end].flat(), [0, 0], 0)];
  threads.forEach(({ events, first }, thread) => {
    const now = axes.map(() => 0);
    let open = 0, body = [], start = now.slice(), opened = 0;
    const flush = () => {
      if (body.length) parts.push(block(2, thread, body, start, opened));
      [body, start, opened] = [[], now.slice(), open];
    };
    events.forEach(([code, ...steps], n) => {
      if (n === 0) steps = steps.map((step, axis) => step + (first?.[axis] ?? 0));
      const bytes = code === 0 ? [1] : code % 2 ? [...varints([3 + (code - 1) / 2])] : [2, ...varints([3 + (code - 2) / 2])];
      body.push(...bytes, ...varints(steps));
      steps.forEach((step, axis) => { now[axis] += step; });
      open += code === 0 ? -1 : 1;
      if (body.length > 60000) flush();
    });
    flush();
  });
  return Buffer.concat(parts.map(part => Buffer.from(part)));
}
