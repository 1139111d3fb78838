// timeline_file.d.mts - the types of timeline_file.mjs.
import type { TimelineTarget } from "./toll.mjs";

/** The file of a timeline that grows while the program runs. */
export declare class TimelineFile implements TimelineTarget {
  /** Without a name it is a temporary file. */
  constructor(file?: string);
  write(bytes: Uint8Array, at: number): void;
  read(bytes: Uint8Array, at: number): number;
  setSize(size: number): void;
}
