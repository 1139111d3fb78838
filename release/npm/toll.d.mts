// toll.d.mts - the types of toll.mjs.

/** Which functions are recorded, and what of them. */
export interface Options {
  /** Patterns of names, with commas: record these alone, or all but these. */
  only?: string;
  skip?: string;
  /** false: calls alone, which is faster. */
  ticks?: boolean;
  /** What an instruction counts: "instructions", "fuel" (as wasmtime has it), or lines "NAME COST". */
  costs?: string;
  /** Bytes allocated and in use, by stack. */
  heap?: boolean;
  /** How often each line ran, and its ticks, if the module has DWARF; else each basic block. */
  lines?: boolean;
  /** The same, and callees are below the line that calls them. */
  callLines?: boolean;
  /** A column: calls that came by call_indirect or call_ref. */
  callKinds?: boolean;
  /** false: follow no calls. */
  calls?: boolean;
  /** The name of the module's file, which profiles have. */
  name?: string;
}

/** A file that grows with a timeline: TimelineFile of timeline_file.mjs, or another object. */
export interface TimelineTarget {
  write(bytes: Uint8Array, at: number): void;
  read(bytes: Uint8Array, at: number): number;
  setSize(size: number): void;
}

export interface RecordingOptions extends Options {
  /** Nanoseconds, too: by a sampler, or by reading the clock once in a window; "each": at each event. */
  time?: boolean | "each";
  /** Deeper calls are charged to their ancestor there. */
  depth?: number;
  /** Keep the order in time, in memory or in a file. */
  timeline?: boolean | TimelineTarget;
  /** With lines, frames for inlined functions. */
  inlines?: boolean;
  /** false: blocks, of which toll convert --debug makes lines. */
  debug?: boolean;
  /** A call of a function that is open is charged to that one. */
  foldRecursion?: boolean;
  /** Of hook: keep the instrumented bytes of each module. */
  keepModules?: boolean;
  /** Of hook: all modules are recorded as one program, with one stack. */
  linked?: boolean;
  /** The thread's name in the profile. */
  thread?: string;
  /** Options with which the engine compiles the module. */
  compile?: { builtins?: string[]; importedStringConstants?: string };
}

/** A format by its name. A page of HTML is written by the command alone. */
export type Format = "pb.gz" | "pprof" | "folded" | "speedscope" | "perfview" | "callgrind" | (string & {});

export interface ReportOptions {
  value?: string;
  rows?: number;
}

/** What `toll report --json` prints. */
export interface Summary {
  /** sample: nanoseconds that a sample represents, if the column is made of samples. */
  columns: { type: string; unit: string; sample?: number }[];
  functions: unknown[];
  threads: unknown[];
  notes: unknown[];
  [member: string]: unknown;
}

/** A moment of a recording. */
export interface Moment {
  readonly bytes: Uint8Array;
}

export interface ProfileOptions {
  /** By the timeline. */
  inOrder?: boolean;
  /** Only what was recorded since then. */
  since?: Moment;
  /** Only what is recorded in that time, from now on. */
  seconds?: number;
  /** Ends the wait for the seconds. */
  signal?: AbortSignal;
}

/** The same, with the format and the value. */
export interface ProfileRequest extends ProfileOptions {
  format?: Format;
  value?: string;
}

export declare class Profile {
  /** Adds a profile: bytes of any format but pb.gz. */
  add(bytes: Uint8Array): void;
  /** The profile so far, or a part of it; the recording goes on. */
  profile(format?: Format, value?: string, options?: ProfileOptions): Promise<Uint8Array>;
  profile(request: ProfileRequest): Promise<Uint8Array>;
  /** In a page whose browser samples: await it before top, tree and other results that come without a promise. */
  sampled(): Promise<unknown> | undefined;
  /** This moment, for part and profile. */
  moment(): Moment;
  /** What was recorded between two moments; without `to`, until now. */
  part(from: Moment, to?: Moment): Profile;
  /** Leaves out all that was recorded until now. */
  reset(): void;
  /** The same without a promise, and uncompressed. With a sink, that gets each piece. */
  write(format: Format, value?: string, inOrder?: boolean, sink?: (piece: Uint8Array) => void): Uint8Array;
  /** Whether all stacks are written. */
  keepAll(keepsAll?: boolean): void;
  /** Labels of what is written, such as "commit=3f2a,host=a". */
  label(labels: string): void;
  onWarning(show: (text: string) => void): void;
  top(options?: ReportOptions): string;
  tree(options?: ReportOptions): string;
  summary(options?: ReportOptions): Summary;
}

export declare class Recording extends Profile {
  /** The exports of the instance that is recorded. */
  exports: WebAssembly.Exports & Record<string, any>;
  /** What has been spent so far; time in nanoseconds. */
  spent(): { ticks: bigint | number; time: bigint | number };
  /** `since` writes what comes after this call. */
  mark(): void;
  since(format: Format, value?: string): Uint8Array;
  /** A frame that is open until its end, whatever is called and returns meanwhile. */
  beginSection(name: string): void;
  endSection(name: string): void;
  /** Calls `work` as a frame of that name. */
  phase<Result>(name: string, work: () => Result): Result;
  note(text: string, count?: number): void;
  /** The bytes of a module, instrumented if they are not yet. */
  prepare(bytes: BufferSource): Uint8Array;
  /** Makes an instance of an instrumented module, and returns its exports. */
  instantiate(module: WebAssembly.Module, imports?: WebAssembly.Imports): WebAssembly.Exports & Record<string, any>;
  /** No event follows: the file of the timeline is complete. */
  endTimeline(): void;
}

export declare class Toll {
  /** source: the bytes of toll.wasm, or its URL; without it, it is beside toll.mjs. */
  static load(source?: URL | string | BufferSource): Promise<Toll>;
  /** The bytes of a module, instrumented. */
  instrument(bytes: BufferSource, options?: Options): Uint8Array;
  /** The same, or the bytes as they are if the module is instrumented already. */
  prepare(bytes: BufferSource, options?: Options): Uint8Array;
  /** A profile to add others to. */
  sum(): Profile;
  /** A recording of several instances, one after the other. */
  record(options?: RecordingOptions): Recording;
  /** Profiles a module. */
  instantiate(bytes: BufferSource, imports?: WebAssembly.Imports, options?: RecordingOptions): Promise<Recording>;
  /** Profiles every module that is compiled from now on, for packages that load theirs themselves. */
  hook(options?: RecordingOptions): Hook;
}

export interface Hook {
  /** A recording of each instance, and, with keepModules, the instrumented bytes of its module: both grow. */
  recordings: Recording[];
  modules: Uint8Array[];
  /** Of the sum of all recordings. */
  profile(format?: Format, value?: string, options?: ProfileOptions): Promise<Uint8Array>;
  profile(request: ProfileRequest): Promise<Uint8Array>;
  moment(): Moment;
  sampled(): Promise<unknown> | undefined;
}
