//! Structs, functions and constants of libtoll. Made by scripts/bindings from include/toll; do not edit.

use std::ffi::{c_char, c_int, c_uint, c_void};

pub const TOLL_ERROR_SIZE: u32 = 512;
pub const TOLL_MOST_STACKS: u32 = 1000000;
pub const TOLL_STACK_BYTES: u32 = 64000000;
pub const TOLL_NONE: u32 = 4294967295;
pub const TOLL_MAX_COLUMNS: u32 = 32;
pub const TOLL_MAX_COUNTERS: u32 = 4;
pub const TOLL_MAX_OPEN_SECTIONS: u32 = 128;
pub const TOLL_VALUE_TEXT_SIZE: u32 = 48;
pub const TOLL_MAX_SECTION_ID: u32 = 4096;
pub const TOLL_SVM_TRACKS_HEAP: u64 = 8097865104158912372;
pub const TOLL_SVM_REGISTERS_SIZE: u32 = 96;
pub const TOLL_VERSION_MAJOR: u32 = 0;
pub const TOLL_VERSION_MINOR: u32 = 1;
pub const TOLL_VERSION_PATCH: u32 = 0;
pub const TOLL_OK: toll_status = 0;
pub const TOLL_E_NOMEM: toll_status = 1;
pub const TOLL_E_LIMIT: toll_status = 2;
pub const TOLL_E_OVERFLOW: toll_status = 3;
pub const TOLL_E_ARGUMENT: toll_status = 10;
pub const TOLL_E_STATE: toll_status = 11;
pub const TOLL_E_NOT_FOUND: toll_status = 12;
pub const TOLL_E_IO: toll_status = 20;
pub const TOLL_E_UNKNOWN_FORMAT: toll_status = 30;
pub const TOLL_E_UNSUPPORTED: toll_status = 31;
pub const TOLL_E_SYNTAX: toll_status = 40;
pub const TOLL_E_TRUNCATED: toll_status = 41;
pub const TOLL_E_INVARIANT: toll_status = 50;
pub const TOLL_KIND_FUNCTION: toll_frame_kind = 0;
pub const TOLL_KIND_NATIVE: toll_frame_kind = 1;
pub const TOLL_KIND_SECTION: toll_frame_kind = 2;
pub const TOLL_KIND_PHASE: toll_frame_kind = 3;
pub const TOLL_KIND_INLINED: toll_frame_kind = 4;
pub const TOLL_KIND_PROGRAM: toll_frame_kind = 5;
pub const TOLL_KIND_COUNT: toll_frame_kind = 6;
pub const TOLL_KEEPS_COLUMNS: c_uint = 1;
pub const TOLL_KEEPS_THREADS: c_uint = 2;
pub const TOLL_KEEPS_SOURCE: c_uint = 4;
pub const TOLL_KEEPS_KIND: c_uint = 8;
pub const TOLL_KEEPS_NOTES: c_uint = 16;
pub const TOLL_KEEPS_NEGATIVE: c_uint = 32;
pub const TOLL_KEEPS_UNITS: c_uint = 64;
pub const TOLL_KEEPS_CONTEXT: c_uint = 128;
pub const TOLL_KEEPS_ORDER: c_uint = 256;
pub const TOLL_KEEPS_PLACES: c_uint = 512;
pub const TOLL_SORT_SELF: toll_report_sort = 0;
pub const TOLL_SORT_TOTAL: toll_report_sort = 1;
pub const TOLL_SORT_CALLS: toll_report_sort = 2;
pub const TOLL_SORT_NAME: toll_report_sort = 3;
pub const TOLL_SOURCE_MISSING: c_uint = 0;
pub const TOLL_SOURCE_OUTSIDE: c_uint = 1;
pub const TOLL_SOURCE_UNREADABLE: c_uint = 2;
pub const TOLL_COLORS_NONE: toll_colors = 0;
pub const TOLL_COLORS_256: toll_colors = 1;
pub const TOLL_COLORS_24_BIT: toll_colors = 2;
pub const TOLL_SVM_OK: toll_svm_result = 0;
pub const TOLL_SVM_ACCESS_VIOLATION: toll_svm_result = 1;
pub const TOLL_SVM_ID_TOO_LONG: toll_svm_result = 2;
pub const TOLL_SVM_NOT_OPEN: toll_svm_result = 3;
pub const TOLL_SVM_NO_INVOCATION: toll_svm_result = 4;
pub const TOLL_SVM_NO_MEMORY: toll_svm_result = 5;

pub type toll_status = c_int;
#[repr(C)]
#[derive(Debug)]
pub struct toll_clock {
    private: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct toll_profile {
    private: [u8; 0],
}
pub type toll_frame_id = u32;
pub type toll_thread_id = u32;
pub type toll_node_id = u32;
pub type toll_frame_kind = c_int;
#[repr(C)]
#[derive(Debug)]
pub struct toll_recorder {
    private: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct toll_timeline {
    private: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct toll_track {
    private: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct toll_embed {
    private: [u8; 0],
}
pub type toll_embed_id = u64;
#[repr(C)]
#[derive(Debug)]
pub struct toll_input {
    private: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct toll_output {
    private: [u8; 0],
}
pub type toll_progress_fn = Option<unsafe extern "C" fn(*mut c_void, u64, u64)>;
#[repr(C)]
#[derive(Debug)]
pub struct toll_timeline_reader {
    private: [u8; 0],
}
pub type toll_report_sort = c_int;
pub type toll_source_fn = Option<unsafe extern "C" fn(*mut c_void, *const c_char, *mut *const c_char, *mut usize, *mut toll_error) -> toll_status>;
pub type toll_source_origin_fn = Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_char>;
pub type toll_instructions_fn = Option<unsafe extern "C" fn(*mut c_void, *const toll_frame, toll_value_type, *mut *const toll_instruction, *mut usize, *mut toll_error) -> toll_status>;
pub type toll_colors = c_int;
#[repr(C)]
#[derive(Debug)]
pub struct toll_sections {
    private: [u8; 0],
}
pub type toll_write_line = unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> toll_status;
#[repr(C)]
#[derive(Debug)]
pub struct toll_svm {
    private: [u8; 0],
}
pub type toll_svm_result = c_int;
#[repr(C)]
#[derive(Debug)]
pub struct toll_svm_recorder {
    private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_error {
    pub status: toll_status,
    pub text: [c_char; 512],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_allocator {
    pub resize: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize) -> *mut c_void>,
    pub user: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_budget {
    pub limit: usize,
    pub used: usize,
    pub peak: usize,
    pub refused: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_frame {
    pub name: *const c_char,
    pub file: *const c_char,
    pub line: u32,
    pub kind: toll_frame_kind,
    pub system_name: *const c_char,
    pub module: *const c_char,
    pub build_id: *const c_char,
    pub address: u64,
    pub at_line: u32,
    pub at_address: u64,
    pub at_file: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_value_type {
    pub type_: *const c_char,
    pub unit: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_thread_label {
    pub key: *const c_char,
    pub value: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_filter {
    pub size: usize,
    pub focus: *const c_char,
    pub ignore: *const c_char,
    pub thread: *const c_char,
    pub where_: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_counter {
    pub type_: *const c_char,
    pub unit: *const c_char,
    pub counts_down: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_recorder_options {
    pub size: usize,
    pub allocator: *const toll_allocator,
    pub counters: *const toll_counter,
    pub counter_count: u32,
    pub max_depth: u32,
    pub heap: c_int,
    pub section_heap: c_int,
    pub join_threads: c_int,
    pub timeline: *mut toll_timeline,
    pub timeline_counter: u32,
    pub timeline_second: u32,
    pub main_thread: *const c_char,
    pub lines: c_int,
    pub call_lines: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_embed_track {
    pub recording: u64,
    pub track: *mut toll_track,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_embed_options {
    pub size: usize,
    pub path: *const c_char,
    pub counter: *const u64,
    pub counter_type: *const c_char,
    pub counter_unit: *const c_char,
    pub counts_down: c_int,
    pub no_signals: c_int,
    pub wall_time: c_int,
    pub recorder: *const toll_recorder_options,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_folded_options {
    pub size: usize,
    pub value: *const c_char,
    pub unit: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_timeline_event {
    pub is_open: c_int,
    pub frame: toll_frame_id,
    pub at: u64,
    pub second: u64,
    pub is_call: c_int,
    pub reserved: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_format {
    pub name: *const c_char,
    pub title: *const c_char,
    pub extensions: *const *const c_char,
    pub keeps: c_uint,
    pub reads: c_int,
    pub writes: c_int,
    pub needs_timeline: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_reader_options {
    pub format: *const c_char,
    pub options: *const c_void,
    pub unused: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_format_options {
    pub size: usize,
    pub warn: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
    pub warn_user: *mut c_void,
    pub value: *const c_char,
    pub flamechart: c_int,
    pub progress: toll_progress_fn,
    pub progress_user: *mut c_void,
    pub strict: c_int,
    pub title: *const c_char,
    pub most_stacks: usize,
    pub labels: *const c_char,
    pub stack_bytes: usize,
    pub no_sync: c_int,
    pub readers: *const toll_reader_options,
    pub reader_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_report_options {
    pub size: usize,
    pub value: *const c_char,
    pub sort: toll_report_sort,
    pub rows: u32,
    pub color: c_int,
    pub short_names: c_int,
    pub by_category: c_int,
    pub keep_outside: c_int,
    pub links: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_series_options {
    pub size: usize,
    pub value: *const c_char,
    pub titles: *const *const c_char,
    pub rows: u32,
    pub short_names: c_int,
    pub only_leaks: c_int,
    pub are_ages: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_instruction {
    pub address: u64,
    pub text: *const c_char,
    pub self_: i64,
    pub executions: i64,
    pub line: u32,
    pub file: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_annotate_options {
    pub size: usize,
    pub value: *const c_char,
    pub what: *const c_char,
    pub source: toll_source_fn,
    pub source_user: *mut c_void,
    pub rows: u32,
    pub full: c_int,
    pub color: c_int,
    pub short_names: c_int,
    pub instructions: toll_instructions_fn,
    pub instructions_user: *mut c_void,
    pub threshold: f64,
    pub top: u32,
    pub keep_outside: c_int,
    pub source_origin: toll_source_origin_fn,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_flame_options {
    pub size: usize,
    pub value: *const c_char,
    pub width: u32,
    pub rows: u32,
    pub colors: toll_colors,
    pub short_names: c_int,
    pub keep_outside: c_int,
    pub reserved: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_page_sources {
    pub embedded: u32,
    pub missing: u32,
    pub outside: u32,
    pub unreadable: u32,
    pub no_room: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_page_options {
    pub size: usize,
    pub title: *const c_char,
    pub before: *const c_char,
    pub value: *const c_char,
    pub source: toll_source_fn,
    pub source_user: *mut c_void,
    pub all_source: c_int,
    pub in_time: c_int,
    pub keep_outside: c_int,
    pub reserved: c_int,
    pub timeline: *const toll_timeline,
    pub sources: *mut toll_page_sources,
    pub source_origin: toll_source_origin_fn,
    pub between: *const *const toll_profile,
    pub between_titles: *const *const c_char,
    pub between_count: u32,
    pub reserved_too: u32,
    pub series: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_sections_options {
    pub size: usize,
    pub allocator: *const toll_allocator,
    pub counts_down: c_int,
    pub recorder: *mut toll_recorder,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_section {
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
#[derive(Clone, Copy, Debug)]
pub struct toll_section_results {
    pub ended: *const toll_section,
    pub ended_count: usize,
    pub open: *const toll_section,
    pub open_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_program_file {
    pub program_id: *const c_char,
    pub path: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_solana_options {
    pub size: usize,
    pub names: *const c_char,
    pub idls: *const toll_program_file,
    pub idl_count: usize,
    pub elfs: *const toll_program_file,
    pub elf_count: usize,
    pub project: *const c_char,
    pub logs: *const c_char,
    pub costs: *const c_char,
    pub lines: c_int,
    pub by_transaction: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_supcom_options {
    pub size: usize,
    pub fold_call_lines: c_int,
    pub reserved: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_svm_options {
    pub size: usize,
    pub allocator: *const toll_allocator,
    pub recorder: *mut toll_recorder,
    pub translate: Option<unsafe extern "C" fn(*mut c_void, u64, u64) -> *const c_void>,
    pub log: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize)>,
    pub log_user: *mut c_void,
    pub tracks_heap: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_svm_call {
    pub memory: *mut c_void,
    pub id_address: u64,
    pub id_size: u64,
    pub heap_value: u64,
    pub tracks_heap: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_svm_recorder_options {
    pub size: usize,
    pub allocator: *const toll_allocator,
    pub syscalls: *const toll_svm_options,
    pub programs: *const toll_solana_options,
    pub warn: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
    pub warn_user: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct toll_svm_invocation {
    pub program: u32,
    pub data: *const c_void,
    pub data_size: usize,
    pub heap_units: u64,
}

extern "C" {
    pub fn toll_status_name(status: toll_status) -> *const c_char;
    pub fn toll_printable(text: *const c_char, buffer: *mut c_char, size: usize) -> *const c_char;
    pub fn toll_c_allocator() -> toll_allocator;
    pub fn toll_budget_allocator(budget: *mut toll_budget) -> toll_allocator;
    pub fn toll_clock_create(
        allocator: *const toll_allocator,
        out: *mut *mut toll_clock,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_clock_create_cpu(
        allocator: *const toll_allocator,
        out: *mut *mut toll_clock,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_clock_free(clock: *mut toll_clock);
    pub fn toll_clock_now(clock: *mut toll_clock) -> u64;
    pub fn toll_clock_waited(clock: *const toll_clock) -> u64;
    pub fn toll_clock_source(clock: *const toll_clock) -> *const c_char;
    pub fn toll_profile_create(
        allocator: *const toll_allocator,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_free(profile: *mut toll_profile);
    pub fn toll_profile_add_column(
        profile: *mut toll_profile,
        type_: *const c_char,
        unit: *const c_char,
        out: *mut u32,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_column_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_column(profile: *const toll_profile, column: u32) -> toll_value_type;
    pub fn toll_profile_find_column(profile: *const toll_profile, type_: *const c_char) -> u32;
    pub fn toll_profile_find_value_type(
        profile: *const toll_profile,
        wanted: toll_value_type,
    ) -> u32;
    pub fn toll_profile_default_column(profile: *const toll_profile) -> u32;
    pub fn toll_profile_set_default_column(profile: *mut toll_profile, column: u32);
    pub fn toll_profile_add_frame(
        profile: *mut toll_profile,
        frame: *const toll_frame,
        out: *mut toll_frame_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_find_frame(
        profile: *const toll_profile,
        frame: *const toll_frame,
    ) -> toll_frame_id;
    pub fn toll_profile_frame_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_frame(profile: *const toll_profile, id: toll_frame_id) -> toll_frame;
    pub fn toll_profile_add_thread(
        profile: *mut toll_profile,
        name: *const c_char,
        out: *mut toll_thread_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_add_labelled_thread(
        profile: *mut toll_profile,
        name: *const c_char,
        labels: *const toll_thread_label,
        count: u32,
        out: *mut toll_thread_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_thread_label_count(profile: *const toll_profile, id: toll_thread_id) -> u32;
    pub fn toll_profile_thread_label(
        profile: *const toll_profile,
        id: toll_thread_id,
        i: u32,
    ) -> toll_thread_label;
    pub fn toll_profile_thread_title(
        profile: *const toll_profile,
        id: toll_thread_id,
    ) -> *const c_char;
    pub fn toll_profile_thread_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_thread_name(
        profile: *const toll_profile,
        id: toll_thread_id,
    ) -> *const c_char;
    pub fn toll_profile_root(profile: *const toll_profile, id: toll_thread_id) -> toll_node_id;
    pub fn toll_profile_add_child(
        profile: *mut toll_profile,
        parent: toll_node_id,
        frame: toll_frame_id,
        out: *mut toll_node_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_node_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_parent(profile: *const toll_profile, node: toll_node_id) -> toll_node_id;
    pub fn toll_profile_node_frame(
        profile: *const toll_profile,
        node: toll_node_id,
    ) -> toll_frame_id;
    pub fn toll_profile_self(profile: *const toll_profile, node: toll_node_id, column: u32) -> i64;
    pub fn toll_profile_add_self(
        profile: *mut toll_profile,
        node: toll_node_id,
        column: u32,
        value: i64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_nodes(
        profile: *const toll_profile,
        count: u32,
        parents: *mut toll_node_id,
        frames: *mut toll_frame_id,
        self_: *mut i64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_frames(
        profile: *const toll_profile,
        count: u32,
        frames: *mut toll_frame,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_add_note(
        profile: *mut toll_profile,
        text: *const c_char,
        count: u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_clear_notes(profile: *mut toll_profile);
    pub fn toll_profile_note_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_note(
        profile: *const toll_profile,
        i: u32,
        count: *mut u64,
    ) -> *const c_char;
    pub fn toll_profile_add_comment(
        profile: *mut toll_profile,
        text: *const c_char,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_comment_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_comment(profile: *const toll_profile, i: u32) -> *const c_char;
    pub fn toll_profile_add_run(
        profile: *mut toll_profile,
        facts: *const toll_thread_label,
        count: u32,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_run_kind_count(profile: *const toll_profile) -> u32;
    pub fn toll_profile_run_kind(
        profile: *const toll_profile,
        i: u32,
        count: *mut u64,
    ) -> *const c_char;
    pub fn toll_profile_has_unknown_runs(profile: *const toll_profile) -> c_int;
    pub fn toll_start_time(out: *mut i64, err: *mut toll_error) -> toll_status;
    pub fn toll_profile_set_time(profile: *mut toll_profile, start_ns: i64, duration_ns: i64);
    pub fn toll_profile_start_ns(profile: *const toll_profile) -> i64;
    pub fn toll_profile_duration_ns(profile: *const toll_profile) -> i64;
    pub fn toll_profile_merge(
        target: *mut toll_profile,
        source: *const toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_diff(
        before: *const toll_profile,
        after: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_align(
        before: *const toll_profile,
        after: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_filter(
        profile: *const toll_profile,
        filter: *const toll_filter,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_with_labels(
        profile: *const toll_profile,
        labels: *const c_char,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_labels_check(labels: *const c_char, err: *mut toll_error) -> toll_status;
    pub fn toll_profile_group_by(
        profile: *const toll_profile,
        keys: *const c_char,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_fold_recursion(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_fold_sections(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_fold_depth(
        profile: *const toll_profile,
        depth: u32,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_has_places(profile: *const toll_profile) -> c_int;
    pub fn toll_profile_fold_places(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_use_system_names(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_fold_inlined(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_take_call_costs(
        profile: *mut toll_profile,
        received_ps: u64,
        made_ps: u64,
        off: *mut u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_without_overhead(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_prune(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_prune_share(
        profile: *const toll_profile,
        share: f64,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_fold_threads(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_by_call_site(
        profile: *const toll_profile,
        more: *const *const c_char,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_copy(
        profile: *const toll_profile,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_check(
        profile: *const toll_profile,
        negative_ok: c_int,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_create(
        options: *const toll_recorder_options,
        out: *mut *mut toll_recorder,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_free(recorder: *mut toll_recorder);
    pub fn toll_recorder_add_frame(
        recorder: *mut toll_recorder,
        frame: *const toll_frame,
        out: *mut toll_frame_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_frame(recorder: *const toll_recorder, frame: toll_frame_id) -> toll_frame;
    pub fn toll_recorder_rename_frame(
        recorder: *mut toll_recorder,
        frame: toll_frame_id,
        name: *const c_char,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_rebase(recorder: *mut toll_recorder, now: *const u64);
    pub fn toll_recorder_call(recorder: *mut toll_recorder, frame: toll_frame_id, now: *const u64);
    pub fn toll_recorder_return(recorder: *mut toll_recorder, now: *const u64);
    pub fn toll_recorder_tail_call(
        recorder: *mut toll_recorder,
        frame: toll_frame_id,
        now: *const u64,
    );
    pub fn toll_recorder_unwind(recorder: *mut toll_recorder, depth: u64, now: *const u64);
    pub fn toll_recorder_line(recorder: *mut toll_recorder, frame: toll_frame_id, now: *const u64);
    pub fn toll_recorder_adopt_line(
        recorder: *mut toll_recorder,
        frame: toll_frame_id,
        now: *const u64,
    );
    pub fn toll_recorder_depth(recorder: *const toll_recorder) -> u64;
    pub fn toll_recorder_adopt(
        recorder: *mut toll_recorder,
        frames: *const toll_frame_id,
        count: u32,
        now: *const u64,
    );
    pub fn toll_recorder_charge(recorder: *mut toll_recorder, now: *const u64);
    pub fn toll_recorder_start_over(recorder: *mut toll_recorder);
    pub fn toll_recorder_reset(recorder: *mut toll_recorder);
    pub fn toll_recorder_new_track(
        recorder: *mut toll_recorder,
        thread_name: *const c_char,
        out: *mut *mut toll_track,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_main_track(recorder: *mut toll_recorder) -> *mut toll_track;
    pub fn toll_recorder_current_track(recorder: *mut toll_recorder) -> *mut toll_track;
    pub fn toll_recorder_switch(
        recorder: *mut toll_recorder,
        track: *mut toll_track,
        now: *const u64,
    );
    pub fn toll_recorder_resume(
        recorder: *mut toll_recorder,
        track: *mut toll_track,
        now: *const u64,
    );
    pub fn toll_recorder_end_track(
        recorder: *mut toll_recorder,
        track: *mut toll_track,
        now: *const u64,
    );
    pub fn toll_recorder_section_begin(
        recorder: *mut toll_recorder,
        frame: toll_frame_id,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_section_end(
        recorder: *mut toll_recorder,
        frame: toll_frame_id,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_heap_alloc(recorder: *mut toll_recorder, address: u64, size_bytes: u64);
    pub fn toll_recorder_heap_free(recorder: *mut toll_recorder, address: u64);
    pub fn toll_recorder_heap_realloc(
        recorder: *mut toll_recorder,
        old_address: u64,
        new_address: u64,
        new_size_bytes: u64,
    );
    pub fn toll_recorder_stop(recorder: *mut toll_recorder, now: *const u64);
    pub fn toll_recorder_snapshot(
        recorder: *const toll_recorder,
        allocator: *const toll_allocator,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_recorder_note(
        recorder: *mut toll_recorder,
        text: *const c_char,
        count: u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_embed_begin(options: *const toll_embed_options) -> *mut toll_embed;
    pub fn toll_embed_save(embed: *mut toll_embed, err: *mut toll_error) -> toll_status;
    pub fn toll_embed_end(embed: *mut toll_embed, err: *mut toll_error) -> toll_status;
    pub fn toll_embed_is_new(embed: *const toll_embed, id: toll_embed_id) -> c_int;
    pub fn toll_embed_add(
        embed: *mut toll_embed,
        name: *const c_char,
        file: *const c_char,
        line: u32,
    ) -> toll_embed_id;
    pub fn toll_embed_call(embed: *mut toll_embed, id: toll_embed_id);
    pub fn toll_embed_return(embed: *mut toll_embed);
    pub fn toll_embed_tail_call(embed: *mut toll_embed, id: toll_embed_id);
    pub fn toll_embed_adopt(embed: *mut toll_embed, id: toll_embed_id);
    pub fn toll_embed_unwind(embed: *mut toll_embed, depth: u64);
    pub fn toll_embed_sync(embed: *mut toll_embed, depth: u64, id: toll_embed_id);
    pub fn toll_embed_budget(embed: *mut toll_embed, last: u64, counter: *const u64);
    pub fn toll_embed_switch(
        embed: *mut toll_embed,
        track: *mut toll_embed_track,
        name: *const c_char,
    );
    pub fn toll_embed_end_track(embed: *mut toll_embed, track: *mut toll_embed_track);
    pub fn toll_embed_hold(embed: *mut toll_embed, now: *mut *const u64) -> *mut toll_recorder;
    pub fn toll_embed_release(embed: *mut toll_embed);
    pub fn toll_input_open(
        allocator: *const toll_allocator,
        path: *const c_char,
        out: *mut *mut toll_input,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_input_from_memory(
        allocator: *const toll_allocator,
        data: *const c_void,
        size: usize,
        name: *const c_char,
        out: *mut *mut toll_input,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_input_on_progress(
        in_: *mut toll_input,
        progress: toll_progress_fn,
        user: *mut c_void,
    );
    pub fn toll_input_name(in_: *const toll_input) -> *const c_char;
    pub fn toll_input_free(in_: *mut toll_input);
    pub fn toll_output_open(
        allocator: *const toll_allocator,
        path: *const c_char,
        gzip: c_int,
        out: *mut *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_output_from_fd(
        allocator: *const toll_allocator,
        fd: c_int,
        name: *const c_char,
        out: *mut *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_output_to_memory(
        allocator: *const toll_allocator,
        gzip: c_int,
        out: *mut *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_output_set_sync(out: *mut toll_output, is_synced: c_int);
    pub fn toll_output_write(out: *mut toll_output, data: *const c_void, size: usize);
    pub fn toll_output_printf(out: *mut toll_output, format: *const c_char, ...);
    pub fn toll_output_put_printable(out: *mut toll_output, text: *const c_char);
    pub fn toll_output_status(out: *const toll_output) -> toll_status;
    pub fn toll_output_commit(out: *mut toll_output, err: *mut toll_error) -> toll_status;
    pub fn toll_output_data(out: *const toll_output, size: *mut usize) -> *const c_void;
    pub fn toll_output_free(out: *mut toll_output);
    pub fn toll_timeline_create(
        allocator: *const toll_allocator,
        axis: toll_value_type,
        in_memory: c_int,
        out: *mut *mut toll_timeline,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_create_file(
        allocator: *const toll_allocator,
        axis: toll_value_type,
        path: *const c_char,
        out: *mut *mut toll_timeline,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_finish(timeline: *mut toll_timeline, err: *mut toll_error) -> toll_status;
    pub fn toll_timeline_free(timeline: *mut toll_timeline);
    pub fn toll_timeline_set_start(timeline: *mut toll_timeline, start_ns: i64);
    pub fn toll_timeline_start(timeline: *const toll_timeline) -> i64;
    pub fn toll_timeline_set_labels(
        timeline: *mut toll_timeline,
        labels: *const c_char,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_add_second_axis(
        timeline: *mut toll_timeline,
        axis: toll_value_type,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_set_second(timeline: *mut toll_timeline, at: u64);
    pub fn toll_timeline_add_frame(
        timeline: *mut toll_timeline,
        frame: *const toll_frame,
        out: *mut toll_frame_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_add_thread(
        timeline: *mut toll_timeline,
        name: *const c_char,
        out: *mut toll_thread_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_rename_frame(
        timeline: *mut toll_timeline,
        frame: toll_frame_id,
        name: *const c_char,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_open(
        timeline: *mut toll_timeline,
        thread: toll_thread_id,
        frame: toll_frame_id,
        at: u64,
    );
    pub fn toll_timeline_close(timeline: *mut toll_timeline, thread: toll_thread_id, at: u64);
    pub fn toll_timeline_status(
        timeline: *const toll_timeline,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_names(timeline: *const toll_timeline) -> *const toll_profile;
    pub fn toll_timeline_axis(timeline: *const toll_timeline) -> toll_value_type;
    pub fn toll_timeline_second_axis(
        timeline: *const toll_timeline,
        axis: *mut toll_value_type,
    ) -> c_int;
    pub fn toll_timeline_is_cut(timeline: *const toll_timeline) -> c_int;
    pub fn toll_timeline_event_count(timeline: *const toll_timeline) -> u64;
    pub fn toll_timeline_read_thread(
        timeline: *const toll_timeline,
        thread: toll_thread_id,
        out: *mut *mut toll_timeline_reader,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_timeline_next(
        reader: *mut toll_timeline_reader,
        event: *mut toll_timeline_event,
        err: *mut toll_error,
    ) -> c_int;
    pub fn toll_timeline_reader_free(reader: *mut toll_timeline_reader);
    pub fn toll_format_at(i: c_uint) -> *const toll_format;
    pub fn toll_format_named(name: *const c_char) -> *const toll_format;
    pub fn toll_format_for_path(path: *const c_char) -> *const toll_format;
    pub fn toll_format_for_folder(path: *const c_char, format: *const c_char) -> *const toll_format;
    pub fn toll_profile_read(
        in_: *mut toll_input,
        format: *const c_char,
        options: *const toll_format_options,
        timeline: *mut *mut toll_timeline,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_load(
        allocator: *const toll_allocator,
        path: *const c_char,
        format: *const c_char,
        options: *const toll_format_options,
        timeline: *mut *mut toll_timeline,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_write(
        profile: *const toll_profile,
        timeline: *const toll_timeline,
        format: *const c_char,
        options: *const toll_format_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_save(
        profile: *const toll_profile,
        path: *const c_char,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_profile_save_as(
        profile: *const toll_profile,
        timeline: *const toll_timeline,
        path: *const c_char,
        format: *const c_char,
        options: *const toll_format_options,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_top(
        profile: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_tree(
        profile: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_json(
        profile: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_diff(
        before: *const toll_profile,
        after: *const toll_profile,
        difference: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_diff_json(
        before: *const toll_profile,
        after: *const toll_profile,
        difference: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_markdown(
        profile: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_diff_markdown(
        before: *const toll_profile,
        after: *const toll_profile,
        difference: *const toll_profile,
        options: *const toll_report_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_series(
        profiles: *const *const toll_profile,
        count: usize,
        options: *const toll_series_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_series_json(
        profiles: *const *const toll_profile,
        count: usize,
        options: *const toll_series_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_series_markdown(
        profiles: *const *const toll_profile,
        count: usize,
        options: *const toll_series_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_annotate(
        profile: *const toll_profile,
        before: *const toll_profile,
        options: *const toll_annotate_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_annotate_json(
        profile: *const toll_profile,
        before: *const toll_profile,
        options: *const toll_annotate_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_flame(
        profile: *const toll_profile,
        options: *const toll_flame_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_report_page(
        profile: *const toll_profile,
        before: *const toll_profile,
        options: *const toll_page_options,
        out: *mut toll_output,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_value_text(value: i64, unit: *const c_char, text: *mut c_char) -> *const c_char;
    pub fn toll_sections_create(
        options: *const toll_sections_options,
        out: *mut *mut toll_sections,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_sections_free(sections: *mut toll_sections);
    pub fn toll_sections_rebase(sections: *mut toll_sections, now: *const u64);
    pub fn toll_sections_push(
        sections: *mut toll_sections,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_sections_begin(
        sections: *mut toll_sections,
        id: *const c_void,
        id_size: usize,
        heap: *const u64,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_sections_end(
        sections: *mut toll_sections,
        id: *const c_void,
        id_size: usize,
        heap: *const u64,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_sections_pop(
        sections: *mut toll_sections,
        now: *const u64,
        out: *mut toll_section_results,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_sections_orphans(sections: *const toll_sections) -> u64;
    pub fn toll_sections_backward(sections: *const toll_sections) -> u64;
    pub fn toll_sections_log(
        sections: *const toll_sections,
        results: *const toll_section_results,
        write: Option<toll_write_line>,
        user: *mut c_void,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_sbf_runtime() -> *const c_char;
    pub fn toll_svm_create(
        options: *const toll_svm_options,
        out: *mut *mut toll_svm,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_free(svm: *mut toll_svm);
    pub fn toll_svm_start(
        svm: *mut toll_svm,
        call: *const toll_svm_call,
        now: *const u64,
    ) -> toll_svm_result;
    pub fn toll_svm_end(
        svm: *mut toll_svm,
        call: *const toll_svm_call,
        now: *const u64,
    ) -> toll_svm_result;
    pub fn toll_svm_push(
        svm: *mut toll_svm,
        program: *const c_char,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_pop(
        svm: *mut toll_svm,
        failed: c_int,
        now: *const u64,
        results: *mut toll_section_results,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_price(program: *const c_char) -> u64;
    pub fn toll_svm_depth(svm: *const toll_svm) -> u32;
    pub fn toll_svm_recorder_create(
        options: *const toll_svm_recorder_options,
        out: *mut *mut toll_svm_recorder,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_free(recorder: *mut toll_svm_recorder);
    pub fn toll_svm_recorder_sections(recorder: *mut toll_svm_recorder) -> *mut toll_svm;
    pub fn toll_svm_recorder_program(
        recorder: *mut toll_svm_recorder,
        address: *const c_char,
        text: *const c_void,
        text_size: usize,
        out: *mut u32,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_constants(
        recorder: *mut toll_svm_recorder,
        program: u32,
        data: *const c_void,
        size: usize,
        address: u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_add_syscall(
        recorder: *mut toll_svm_recorder,
        name: *const c_char,
        out: *mut toll_frame_id,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_push(
        recorder: *mut toll_svm_recorder,
        invocation: *const toll_svm_invocation,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_run(
        recorder: *mut toll_svm_recorder,
        registers: *const c_void,
        count: usize,
        now: *const u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_syscall(
        recorder: *mut toll_svm_recorder,
        frame: toll_frame_id,
        now: *const u64,
    );
    pub fn toll_svm_recorder_syscall_end(recorder: *mut toll_svm_recorder, now: *const u64);
    pub fn toll_svm_recorder_pop(
        recorder: *mut toll_svm_recorder,
        failed: c_int,
        instruction: *const c_char,
        now: *const u64,
        results: *mut toll_section_results,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_depth(recorder: *const toll_svm_recorder) -> u32;
    pub fn toll_svm_recorder_costs(
        recorder: *mut toll_svm_recorder,
        costs: *const c_char,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_note(
        recorder: *mut toll_svm_recorder,
        text: *const c_char,
        count: u64,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_recorder_take(
        recorder: *mut toll_svm_recorder,
        out: *mut *mut toll_profile,
        err: *mut toll_error,
    ) -> toll_status;
    pub fn toll_svm_note_names(profile: *mut toll_profile, err: *mut toll_error) -> toll_status;
    pub fn toll_version() -> *const c_char;
    pub fn toll_version_number() -> u32;
}

crate::sized! {
    toll_filter,
    toll_recorder_options,
    toll_embed_options,
    toll_folded_options,
    toll_format_options,
    toll_report_options,
    toll_series_options,
    toll_annotate_options,
    toll_flame_options,
    toll_page_options,
    toll_sections_options,
    toll_solana_options,
    toll_supcom_options,
    toll_svm_options,
    toll_svm_recorder_options,
}
