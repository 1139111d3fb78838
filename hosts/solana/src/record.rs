//! The process's one recorder: each transaction's events and log lines go through it when the
//! transaction has ended, and TOLL_OUT is written from it when the process ends.

use {
    crate::{
        events::{Event, Kind},
        ffi, log, Invocation, Section,
    },
    std::{
        ffi::{c_char, c_int, c_void, CStr, CString},
        path::Path,
        ptr::null,
        ptr::null_mut,
        sync::{Mutex, MutexGuard, OnceLock},
    },
};

pub(crate) struct Recorder {
    recorder: *mut c_void,
    svm: *mut c_void,
    lines: Box<Vec<String>>, // what the current scope logs; libtoll has its address
}

// SAFETY: libtoll has no state of a thread's own; the mutex lets one thread in at a time.
unsafe impl Send for Recorder {}

fn new_error() -> ffi::Error {
    ffi::Error { status: 0, text: [0; 512] }
}

fn message(err: &ffi::Error) -> String {
    // SAFETY: libtoll ends the text with a NUL.
    unsafe { CStr::from_ptr(err.text.as_ptr()) }.to_string_lossy().into_owned()
}

/// `memory` is the id itself: it was read when the syscall was made.
extern "C" fn translate(memory: *mut c_void, _address: u64, _size: u64) -> *const c_void {
    memory
}

extern "C" fn log_line(user: *mut c_void, line: *const c_char, size: usize) {
    // SAFETY: `user` is Recorder.lines, and libtoll's lines are `size` bytes long.
    let (lines, line) = unsafe {
        (&mut *user.cast::<Vec<String>>(), std::slice::from_raw_parts(line.cast::<u8>(), size))
    };
    lines.push(String::from_utf8_lossy(line).into_owned());
}

fn create() -> Recorder {
    let mut lines = Box::<Vec<String>>::default();
    let (mut recorder, mut svm, mut err) = (null_mut(), null_mut(), new_error());
    let counter =
        ffi::Counter { kind: c"compute units".as_ptr(), unit: c"CU".as_ptr(), counts_down: 1 };
    let options = ffi::RecorderOptions {
        allocator: null(),
        counters: &counter,
        counter_count: 1,
        max_depth: 0,
        heap: 0,
        section_heap: 1,
        join_threads: 0,
        timeline: null_mut(),
        timeline_counter: 0,
    };
    // SAFETY: the options live as long as the calls; libtoll copies what it keeps, but for the
    // recorder and the lines, which live as long as the process.
    unsafe {
        if ffi::toll_recorder_create(&options, &mut recorder, &mut err) != ffi::OK {
            panic!("toll: {}", message(&err));
        }
        let options = ffi::SvmOptions {
            allocator: null(),
            recorder,
            translate,
            log: log_line,
            log_user: (&mut *lines as *mut Vec<String>).cast(),
        };
        if ffi::toll_svm_create(&options, &mut svm, &mut err) != ffi::OK {
            panic!("toll: {}", message(&err));
        }
    }
    Recorder { recorder, svm, lines }
}

pub(crate) fn lock() -> MutexGuard<'static, Recorder> {
    static RECORDER: OnceLock<Mutex<Recorder>> = OnceLock::new();
    let recorder = RECORDER.get_or_init(|| {
        if std::env::var_os("TOLL_OUT").is_some() {
            // SAFETY: the function is of the form that atexit takes.
            unsafe { atexit(write_at_exit) };
        }
        Mutex::new(create())
    });
    recorder.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// TOLL_OUT with %p replaced by the process's id: test binaries of one `cargo test` are several
/// processes.
extern "C" fn write_at_exit() {
    let Some(path) = std::env::var_os("TOLL_OUT") else { return };
    let path = path.to_string_lossy().replace("%p", &std::process::id().to_string());
    if let Err(error) = lock().write(Path::new(&path)) {
        eprintln!("toll: {error}");
    }
}

/// # Safety
/// `sections` are `count` results of libtoll.
unsafe fn copy(sections: *const ffi::Section, count: usize) -> Vec<Section> {
    let slice = if count == 0 { &[] } else { std::slice::from_raw_parts(sections, count) };
    let copy_one = |s: &ffi::Section| Section {
        id: std::slice::from_raw_parts(s.id.cast::<u8>(), s.id_size).to_vec(),
        total: s.total,
        net: s.net,
        heap: (s.has_heap != 0).then_some(crate::Heap {
            total: s.heap_total,
            net: s.heap_net,
            remaining: s.heap_remaining,
        }),
    };
    slice.iter().map(copy_one).collect()
}

/// An invocation that stands while a log is gone through.
struct Open {
    program: String,
    budget: Option<(u64, u64)>,
}

impl Recorder {
    fn push(&mut self, open: &Open, remaining: u64) {
        let program = CString::new(open.program.as_str()).expect("an address");
        // SAFETY: the text lives as long as the call.
        unsafe { ffi::toll_svm_push(self.svm, program.as_ptr(), remaining, null_mut()) };
    }

    fn pop(&mut self, open: Open, depth: usize, failed: bool, remaining: u64) -> Invocation {
        let mut results =
            ffi::SectionResults { ended: null(), ended_count: 0, open: null(), open_count: 0 };
        // SAFETY: the results are copied before the next call.
        let (sections, left_open) = unsafe {
            ffi::toll_svm_pop(self.svm, failed.into(), remaining, &mut results, null_mut());
            (copy(results.ended, results.ended_count), copy(results.open, results.open_count))
        };
        Invocation {
            program: open.program,
            depth,
            failed,
            consumed: open.budget.map(|(_, used)| used),
            sections,
            left_open,
            log: std::mem::take(&mut *self.lines),
        }
    }

    fn event(&mut self, event: &Event) {
        let call = ffi::SvmCall {
            memory: event.id.as_ptr() as *mut c_void,
            id_address: 0,
            id_size: event.id_size,
            heap_value: event.heap_value,
            tracks_heap: event.tracks_heap,
            remaining_units: event.remaining_units,
        };
        let function = match event.kind {
            Kind::Start => ffi::toll_svm_start,
            Kind::End => ffi::toll_svm_end,
        };
        // SAFETY: ids beyond the limit, the only ones that are not read, are not looked at.
        unsafe { function(self.svm, &call) };
    }

    fn note(&mut self, text: &CStr) {
        // SAFETY: the text lives as long as the call.
        unsafe { ffi::toll_recorder_note(self.recorder, text.as_ptr(), 1, null_mut()) };
    }

    /// One transaction, or one instruction of a harness that has no transactions: its log, and the
    /// syscalls that were made. Invocations in the order in which they ended.
    pub(crate) fn replay(&mut self, lines: &[String], events: &[Event]) -> Vec<Invocation> {
        let budgets = log::budgets(lines);
        let mut events = events.iter().peekable();
        let mut open: Vec<Open> = Vec::new();
        let mut ended = Vec::new();
        let mut left = 0; // what the last thing that told it says is left
        for (i, line) in lines.iter().enumerate() {
            while let Some(event) = events.next_if(|event| event.log_lines <= i) {
                left = event.remaining_units;
                self.event(event);
            }
            match log::parse(line) {
                Some(log::Line::Invoke { program }) => {
                    left = budgets[i].map_or(left, |(budget, _)| budget);
                    open.push(Open { program: program.into(), budget: budgets[i] });
                    self.push(&open[open.len() - 1], left);
                }
                Some(log::Line::Consumed { used, budget }) => left = budget.saturating_sub(used),
                Some(outcome @ (log::Line::Success | log::Line::Failed)) => {
                    let failed = matches!(outcome, log::Line::Failed);
                    let depth = open.len();
                    if let Some(last) = open.pop() {
                        ended.push(self.pop(last, depth, failed, left));
                    }
                }
                None if line == "Log truncated" => self.note(c"logs that were truncated"),
                None => {}
            }
        }
        for event in events {
            left = event.remaining_units;
            self.event(event);
        }
        while let Some(last) = open.pop() {
            self.note(c"invocations whose end the log does not tell");
            ended.push(self.pop(last, open.len() + 1, true, left));
        }
        ended
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let path = CString::new(path.to_string_lossy().as_bytes())
            .map_err(|_| "a path with a NUL in it".to_string())?;
        let (mut profile, mut err) = (null_mut(), new_error());
        // SAFETY: the profile is freed once, and not used after.
        unsafe {
            let status = ffi::toll_recorder_snapshot(self.recorder, null(), &mut profile, &mut err);
            if status != ffi::OK {
                return Err(message(&err));
            }
            let status =
                ffi::toll_profile_save(profile, null(), path.as_ptr(), null(), null(), &mut err);
            ffi::toll_profile_free(profile);
            if status == ffi::OK {
                Ok(())
            } else {
                Err(message(&err))
            }
        }
    }
}
