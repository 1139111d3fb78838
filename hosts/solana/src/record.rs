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
    lines: *mut Vec<String>, // what libtoll logs; it has the pointer too
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
    let lines = Box::into_raw(Box::<Vec<String>>::default());
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
        timeline_second: 0,
        main_thread: null(),
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
            log_user: lines.cast(),
            tracks_heap: ffi::TRACKS_HEAP,
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

/// A transaction's log while it is gone through: what stands, and what is left.
#[derive(Default)]
struct Replay {
    open: Vec<Invocation>,
    ended: Vec<Invocation>,
    left: u64,              // as the last event, or line, tells
    begun: Vec<(u64, u64)>, // of each open one: its price if the log has none, and what was left
    unlogged: u64,          // charged, and in no line
}

impl Replay {
    /// Does an open invocation tell what it consumed, with all inside?
    fn is_told(&self) -> bool {
        self.open.iter().any(|open| open.consumed.is_some())
    }
}

fn address(program: &str) -> CString {
    CString::new(program).expect("an address")
}

/// What the runtime asks for an instruction of a built-in program; 0: it is none.
fn price(program: &str) -> u64 {
    // SAFETY: the text lives as long as the call.
    unsafe { ffi::toll_svm_price(address(program).as_ptr()) }
}

/// What was left when the transaction began: by the first line that tells what was, or by what is
/// left, and by the prices of the built-in programs before.
fn left_at_start(lines: &[String], budgets: &[Option<(u64, u64)>], left: u64) -> u64 {
    let (mut depth, mut prices) = (0, 0);
    for (line, budget) in lines.iter().zip(budgets) {
        match (log::parse(line), budget) {
            (Some(log::Line::Invoke { .. }), Some((budget, _))) if depth == 0 => {
                return budget + prices;
            }
            (Some(log::Line::Invoke { program }), None) => {
                prices += price(program);
                depth += 1;
            }
            (Some(log::Line::Ended { .. }), _) => depth -= 1,
            _ => {}
        }
    }
    left + prices
}

impl Recorder {
    /// What libtoll has logged since the last call.
    fn take_lines(&mut self) -> Vec<String> {
        // SAFETY: only libtoll's callback has the pointer too, and none is running.
        std::mem::take(unsafe { &mut *self.lines })
    }

    fn note(&mut self, text: &CStr, count: usize) {
        // SAFETY: the text lives as long as the call.
        unsafe { ffi::toll_recorder_note(self.recorder, text.as_ptr(), count as u64, null_mut()) };
    }

    fn push(&mut self, run: &mut Replay, program: &str, budget: Option<(u64, u64)>) {
        let text = address(program);
        let is_priced = budget.is_none() && !run.is_told();
        let left = budget.map_or(run.left, |(budget, _)| budget);
        if run.open.is_empty() {
            run.unlogged += run.left.saturating_sub(left);
        }
        run.left = left;
        run.begun.push((if is_priced { price(program) } else { 0 }, left));
        run.open.push(Invocation {
            program: program.into(),
            depth: run.open.len() + 1,
            failed: false,
            truncated: false,
            consumed: budget.map(|(_, used)| used),
            sections: Vec::new(),
            left_open: Vec::new(),
            log: Vec::new(),
        });
        // SAFETY: the text lives as long as the call.
        unsafe { ffi::toll_svm_push(self.svm, text.as_ptr(), &run.left, null_mut()) };
    }

    fn pop(&mut self, run: &mut Replay, failed: bool) {
        let Some(mut last) = run.open.pop() else { return };
        if let Some((price @ 1.., left)) = run.begun.pop() {
            run.left = run.left.saturating_sub(price);
            last.consumed = Some(left.saturating_sub(run.left));
        }
        let mut results =
            ffi::SectionResults { ended: null(), ended_count: 0, open: null(), open_count: 0 };
        // SAFETY: the results are copied before the next call.
        unsafe {
            ffi::toll_svm_pop(self.svm, failed.into(), &run.left, &mut results, null_mut());
            last.sections = copy(results.ended, results.ended_count);
            last.left_open = copy(results.open, results.open_count);
        }
        last.failed = failed;
        last.log.extend(self.take_lines());
        run.ended.push(last);
    }

    fn event(&mut self, run: &mut Replay, event: &Event) {
        let call = ffi::SvmCall {
            memory: event.id.as_ptr() as *mut c_void,
            id_address: 0,
            id_size: event.id_size,
            heap_value: event.heap_value,
            tracks_heap: event.tracks_heap,
        };
        let function = match event.kind {
            Kind::Start => ffi::toll_svm_start,
            Kind::End => ffi::toll_svm_end,
        };
        run.left = event.remaining_units;
        // SAFETY: ids beyond the limit, the only ones that are not read, are not looked at.
        unsafe { function(self.svm, &call, &run.left) };
        let lines = self.take_lines();
        if let Some(last) = run.open.last_mut() {
            last.log.extend(lines);
        }
    }

    /// A line that matters; false: the log tells no more.
    fn line(&mut self, run: &mut Replay, line: log::Line, budget: Option<(u64, u64)>) -> bool {
        let innermost = run.open.last().map_or("", |last| &last.program);
        match line {
            log::Line::Invoke { program } => self.push(run, program, budget),
            log::Line::Consumed { program, used, budget } if program == innermost => {
                run.left = budget.saturating_sub(used);
            }
            log::Line::Ended { program, failed } if program == innermost => self.pop(run, failed),
            log::Line::Truncated => return false,
            _ => {}
        }
        true
    }

    /// One transaction, or one instruction of a harness that has no transactions: its log, the
    /// syscalls that were made, and what was left in the end (less than the log tells if a program
    /// was stopped: that takes all). Invocations in the order in which they ended.
    pub(crate) fn replay(
        &mut self,
        lines: &[String],
        events: &[Event],
        left: u64,
    ) -> Vec<Invocation> {
        let budgets = log::budgets(lines);
        let mut events = events.iter().peekable();
        let mut run = Replay { left: left_at_start(lines, &budgets, left), ..Replay::default() };
        for (i, line) in lines.iter().enumerate() {
            while let Some(event) = events.next_if(|event| event.log_lines <= i) {
                self.event(&mut run, event);
            }
            let Some(line) = log::parse(line) else { continue };
            if run.open.len() == 1 && matches!(line, log::Line::Ended { failed: true, .. }) {
                self.take_rest(&mut run, left);
            }
            if !self.line(&mut run, line, budgets[i]) {
                self.note(c"logs that were truncated: what came after is not accounted for", 1);
                break;
            }
        }
        if run.open.is_empty() {
            run.unlogged += run.left.saturating_sub(left);
        }
        self.note(c"compute units that were charged and are not in the log", run.unlogged as usize);
        while !run.open.is_empty() {
            self.note(c"invocations whose end the log does not tell", 1);
            run.open.last_mut().expect("it is not empty").truncated = true;
            self.pop(&mut run, false);
        }
        self.note(c"calls that name sections, after the end of the log", events.count());
        run.ended
    }

    /// The outermost invocation fails, and with it the transaction: no other comes after it.
    fn take_rest(&mut self, run: &mut Replay, left: u64) {
        if let Some(consumed) = run.open[0].consumed.as_mut().filter(|_| left < run.left) {
            *consumed += run.left - left;
            run.left = left;
        }
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
