// wasi.mjs - WASI preview 1, and the earlier wasi_unstable: the system that a guest sees. node:wasi is not used, since
// the V8 of Node 20 and 22 damages its heap in calls of it (nodejs/node issues 46777, 53087), and its check of paths
// can be deceived. Files are objects with the methods of DiskFile, folders with those of DiskFolder; they need not be
// on the disk.
import { randomFillSync } from "node:crypto";
import { CLOCK, resolutionOf, timeOf } from "./wasi_clock.mjs";
import { changeCalls, placeCalls, stateCalls, streamCalls } from "./wasi_file_calls.mjs";
import { endMoment } from "./wasi_file.mjs";
import { GuestMemory } from "./wasi_memory.mjs";
import { ERROR, errorNumber, FILE_RIGHTS, FOLDER_RIGHTS } from "./wasi_numbers.mjs";
import { lookCalls, nameCalls } from "./wasi_path_calls.mjs";
import { poll } from "./wasi_poll.mjs";
import { Table } from "./wasi_table.mjs";

const POOL_BYTES = 4096; // of random bytes; a pool, since each call of randomFillSync costs as much as many bytes
const MOST_POOLED = 256;

/** Turn a function that throws an error into one that returns its number. No function has more than nine parameters. */
const returning = work => (a, b, c, d, e, f, g, h, i) => {
  try {
    endMoment();
    work(a, b, c, d, e, f, g, h, i);
    return ERROR.ESUCCESS;
  } catch (error) {
    return errorNumber(error);
  }
};

/** The functions that return the sizes of texts, and the texts themselves, each with a NUL at its end. */
function listCalls(memory, texts) {
  const items = texts.map(text => Buffer.from(`${text}\0`)), all = Buffer.concat(items);
  return [
    (count, size) => {
      memory.setU32(count, items.length);
      memory.setU32(size, all.length);
    },
    (pointers, bytes) => {
      pointers = memory.at(pointers, 4 * items.length);
      memory.set(bytes, all);
      let at = bytes >>> 0;
      for (const item of items) {
        memory.view.setUint32(pointers, at, true);
        pointers += 4;
        at += item.length;
      }
    },
  ];
}

/** random_get. Each byte of the pool is used once, and then removed from it. */
function randomCall(memory) {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (at, size) => {
    size >>>= 0;
    at = memory.at(at, size);
    if (size > MOST_POOLED) return fillRandom(memory.bytes.subarray(at, at + size));
    if (used + size > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    for (const end = used + size; used < end; used++) {
      memory.bytes[at++] = pool[used];
      pool[used] = 0;
    }
  };
}

/** Fill memory with random bytes; shared memory is filled by a copy. */
function fillRandom(bytes) {
  if (bytes.buffer instanceof ArrayBuffer) randomFillSync(bytes);
  else bytes.set(randomFillSync(new Uint8Array(bytes.length)));
}

/** clock_time_get. Programs call it often, so it has as few steps as possible. */
const clockCall = memory => (clock, precision, at) => {
  try {
    at = memory.at(at, 8);
    memory.view.setBigUint64(at, clock === CLOCK.MONOTONIC ? process.hrtime.bigint() : timeOf(clock), true);
    return ERROR.ESUCCESS;
  } catch (error) {
    return errorNumber(error);
  }
};

const socketCalls = ["sock_accept", "sock_recv", "sock_send", "sock_shutdown"];

function refuse(error) {
  throw error;
}

export class Wasi {
  /** args, env: texts (env as NAME=VALUE). files: those of the descriptors 0, 1, 2. folders: [name, folder], the
   *  folders of the guest. exit(status): called when the program asks to end; it must not return. isUnstable: the
   *  interface is wasi_unstable. */
  constructor({ args, env, files, folders, exit, isUnstable = false }) {
    for (const [name, folder] of folders)
      Object.assign(folder, { givenName: Buffer.from(name), rights: FOLDER_RIGHTS, inheriting: FOLDER_RIGHTS | FILE_RIGHTS });
    this.memory = new GuestMemory();
    this.table = new Table([...files, ...folders.map(([, folder]) => folder)]);
    this.isUnstable = isUnstable;
    const calls = { ...this.ownCalls(args, env), ...placeCalls(this), ...stateCalls(this), ...changeCalls(this), ...nameCalls(this), ...lookCalls(this) };
    this.imports = Object.fromEntries(Object.entries(calls).map(([name, work]) => [name, returning(work)]));
    Object.assign(this.imports, streamCalls(this), { clock_time_get: clockCall(this.memory), proc_exit: exit });
  }

  ownCalls(args, env) {
    const { memory } = this;
    const [args_sizes_get, args_get] = listCalls(memory, args), [environ_sizes_get, environ_get] = listCalls(memory, env);
    return {
      args_sizes_get, args_get, environ_sizes_get, environ_get,
      clock_res_get: (clock, at) => memory.setU64(at, resolutionOf(clock)),
      poll_oneoff: (list, out, count, done) => {
        memory.at(done, 4);
        memory.setU32(done, poll(this, list, out, count));
      },
      random_get: randomCall(memory),
      sched_yield: () => {},
      proc_raise: () => refuse(ERROR.ENOTSUP),
      ...Object.fromEntries(socketCalls.map(name => [name, fd => refuse(this.table.get(fd, 0) && ERROR.ENOTSOCK)])), // there are none
    };
  }

  /** Set the memory that the module exports. To be called before the guest's first call. */
  use(memory) {
    this.memory.use(memory);
  }

  close() {
    this.table.closeAll();
  }
}
