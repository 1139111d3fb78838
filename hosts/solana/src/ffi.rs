//! What is used of libtoll. Made by scripts/bindings from include/toll; do not edit.

use std::ffi::{c_char, c_int, c_void};

pub const OK: c_int = 0;
pub const SVM_TRACKS_HEAP: u64 = 0x706165686c6c6f74;

#[repr(C)]
pub struct Error {
    pub status: c_int,
    pub text: [c_char; 512],
}

#[repr(C)]
pub struct Counter {
    pub kind: *const c_char,
    pub unit: *const c_char,
    pub counts_down: c_int,
}

#[repr(C)]
pub struct RecorderOptions {
    pub size: usize,
    pub allocator: *const c_void,
    pub counters: *const Counter,
    pub counter_count: u32,
    pub max_depth: u32,
    pub heap: c_int,
    pub section_heap: c_int,
    pub join_threads: c_int,
    pub timeline: *mut c_void,
    pub timeline_counter: u32,
    pub timeline_second: u32,
    pub main_thread: *const c_char,
    pub lines: c_int,
    pub call_lines: c_int,
}

#[repr(C)]
pub struct SvmOptions {
    pub size: usize,
    pub allocator: *const c_void,
    pub recorder: *mut c_void,
    pub translate: Option<extern "C" fn(*mut c_void, u64, u64) -> *const c_void>,
    pub log: Option<extern "C" fn(*mut c_void, *const c_char, usize)>,
    pub log_user: *mut c_void,
    pub tracks_heap: u64,
}

#[repr(C)]
pub struct SvmCall {
    pub memory: *mut c_void,
    pub id_address: u64,
    pub id_size: u64,
    pub heap_value: u64,
    pub tracks_heap: u64,
}

#[repr(C)]
pub struct Section {
    pub id: *const c_char,
    pub id_size: usize,
    pub total: u64,
    pub net: u64,
    pub has_heap: c_int,
    pub heap_total: i64,
    pub heap_net: i64,
    pub heap_remaining: u64,
}

#[repr(C)]
pub struct SectionResults {
    pub ended: *const Section,
    pub ended_count: usize,
    pub open: *const Section,
    pub open_count: usize,
}

extern "C" {
    pub fn toll_recorder_create(
        options: *const RecorderOptions,
        out: *mut *mut c_void,
        err: *mut Error,
    ) -> c_int;
    pub fn toll_recorder_snapshot(
        recorder: *const c_void,
        allocator: *const c_void,
        out: *mut *mut c_void,
        err: *mut Error,
    ) -> c_int;
    pub fn toll_recorder_free(recorder: *mut c_void);
    pub fn toll_recorder_note(
        recorder: *mut c_void,
        text: *const c_char,
        count: u64,
        err: *mut Error,
    ) -> c_int;
    pub fn toll_labels_check(labels: *const c_char, err: *mut Error) -> c_int;
    pub fn toll_profile_with_labels(
        profile: *const c_void,
        labels: *const c_char,
        out: *mut *mut c_void,
        err: *mut Error,
    ) -> c_int;
    pub fn toll_profile_merge(target: *mut c_void, source: *const c_void, err: *mut Error) -> c_int;
    pub fn toll_profile_save(profile: *const c_void, path: *const c_char, err: *mut Error) -> c_int;
    pub fn toll_profile_free(profile: *mut c_void);
    pub fn toll_svm_create(
        options: *const SvmOptions,
        out: *mut *mut c_void,
        err: *mut Error,
    ) -> c_int;
    pub fn toll_svm_free(svm: *mut c_void);
    pub fn toll_svm_start(svm: *mut c_void, call: *const SvmCall, now: *const u64) -> c_int;
    pub fn toll_svm_end(svm: *mut c_void, call: *const SvmCall, now: *const u64) -> c_int;
    pub fn toll_svm_price(program: *const c_char) -> u64;
    pub fn toll_svm_push(
        svm: *mut c_void,
        program: *const c_char,
        now: *const u64,
        err: *mut Error,
    ) -> c_int;
    pub fn toll_svm_pop(
        svm: *mut c_void,
        failed: c_int,
        now: *const u64,
        results: *mut SectionResults,
        err: *mut Error,
    ) -> c_int;
}
