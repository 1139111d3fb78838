//! Constants of toll/embedder.h. Made by scripts/bindings from include/toll; do not edit.
#![allow(dead_code)] // each language has them all

pub const EMBEDDER_VERSION: u32 = 1;
pub const INSTRUMENT_NO_TICKS: u32 = 1;
pub const INSTRUMENT_HEAP: u32 = 2;
pub const INSTRUMENT_LINES: u32 = 4;
pub const INSTRUMENT_NO_CALLS: u32 = 8;
pub const INSTRUMENT_CALL_LINES: u32 = 16;
pub const INSTRUMENT_CALL_KINDS: u32 = 32;
pub const INSTRUMENT_LINKED: u32 = 64;
pub const MODULE_INSTRUMENTED: u32 = 65536;
pub const MODULE_LINES: u32 = 131072;
pub const MODULE_CALL_LINES: u32 = 262144;
pub const RECORD_TICKS: u32 = 1;
pub const RECORD_TIME: u32 = 2;
pub const RECORD_TIMELINE: u32 = 4;
pub const RECORD_HEAP: u32 = 8;
pub const RECORD_NO_CALLS: u32 = 16;
pub const RECORD_TIMELINE_FILE: u32 = 32;
pub const RECORD_TIMELINE_TEMPORARY: u32 = 64;
pub const RECORD_WASI_CLOCK: u32 = 128;
pub const RECORD_FOLD_RECURSION: u32 = 256;
pub const RECORD_LOOKS: u32 = 512;
pub const RECORD_CALL_KINDS: u32 = 1024;
pub const RECORD_SAMPLES: u32 = 2048;
pub const IS_LOST: i32 = -1;
pub const IS_SETTLED: i32 = 1;
pub const COUNTERS_OF_PAGE: u32 = 64;
pub const TO_RESULT: i32 = -1;
pub const REPORT_TOP: u32 = 0;
pub const REPORT_TREE: u32 = 1;
pub const REPORT_JSON: u32 = 2;
pub const SITES_MORE: i32 = -1;
pub const E_ARGUMENT: i32 = 10;
pub const E_NOT_FOUND: i32 = 12;
pub const E_UNKNOWN_FORMAT: i32 = 30;
pub const E_UNSUPPORTED: i32 = 31;
