// pvm_ticks.mjs - the ticks of a kernel_run in Tezos' WASM PVM beside those of the kernel's own instructions: of its
// host functions, and of the phases before and after it. docs/kernels.md has the rules, and where they are from.

const BYTE = 42n; // read from the memory, or written to it
const TREE = 1n; // reaching a key
const REVEAL = 1n; // what answers a request is a tick of its own
const CALL = 5n; // of each host function; the two ticks before it and those after it are its caller's
const BEGIN = 1n; // a kernel_run begins with a tick that leads to the first one of decode

// From the end of kernel_run to that of its last tick: of returning from it, and a tick that leads to the next one.
const END = 8n, END_OF_TRAP = 6n;

const SMALL = 11_000_000_000n, LARGE = 50_000_000_000_000n;

/** The most ticks of a kernel_run, in that version of the PVM: ticks_per_snapshot. */
export const limitOf = version => (Number(version.split("-r")[1] ?? 0) < 4 ? SMALL : LARGE);

const bytes = size => BYTE * BigInt(size >>> 0);
const key = (_, [, size]) => bytes(size) + TREE;
const two = (_, [, from, , to]) => bytes(from) + bytes(to) + TREE;
const reveal = size => bytes(size) + REVEAL;
const nothing = () => 0n;

/** What a function takes beside CALL if it succeeds, by its result and its arguments. */
const ticks = {
  read_input: size => bytes(size),
  write_output: nothing, // as the PVM counts it: it takes the result, 0, for the size
  write_debug: nothing,
  store_has: key, store_exists: key, store_value_size: key, store_create: key, store_delete: key, store_delete_value: key,
  store_list_size: key, store_get_nth_key: key, __internal_store_get_hash: key,
  store_copy: two, store_move: two,
  store_read: (size, args) => key(size, args) + bytes(size),
  store_write: (result, args) => key(result, args) + bytes(args[4]),
  reveal_preimage: reveal, reveal_metadata: reveal, reveal,
};

/** The imports, with functions that call `spend` with their ticks. Those of the call come first: a mark that a function
 *  leaves in the profile is behind them. */
export function counting({ smart_rollup_core: core }, spend) {
  const counted = Object.entries(core).map(([name, call]) => [name, (...args) => {
    spend(CALL);
    const result = call(...args);
    if (!(result < 0)) spend(ticks[name](result, args));
    return result;
  }]);
  return { smart_rollup_core: Object.fromEntries(counted) };
}

/** The ticks around a kernel_run, which are in no phase: `result` is what kernel_run returned. */
export function around(trap, result) {
  const results = result === undefined ? 0 : Array.isArray(result) ? result.length : 1;
  return { before: BEGIN, after: trap ? END_OF_TRAP : END + BigInt(results) };
}
