//! Passes each transaction's events and log lines to a recorder of libtoll, when the transaction
//! has ended.

use {
    crate::{
        events::{Event, Kind},
        log, Invocation, Section,
    },
    std::{
        ffi::{c_char, c_void, CString},
        ptr::{null, null_mut},
    },
    toll_sys as sys,
    tollprof::{Counter, Error, Options, Profile},
};

pub(crate) struct Recorder {
    recorder: tollprof::Recorder<1>,
    svm: *mut sys::toll_svm, // refers to the recorder
    lines: *mut Vec<String>, // what libtoll logs, through the same pointer
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: no other code has them; the recorder is freed after this.
        unsafe {
            sys::toll_svm_free(self.svm);
            drop(Box::from_raw(self.lines));
        }
    }
}

// SAFETY: libtoll has no state of a thread's own.
unsafe impl Send for Recorder {}

/// Translate an address: `memory` is the id itself, which was copied when the syscall was called.
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

fn create() -> Result<Recorder, Error> {
    let counter = Counter::remaining("compute units", "CU");
    let options = Options { section_heap: true, ..Options::default() };
    let recorder = tollprof::Recorder::with([counter], &options)?;
    let lines = Box::into_raw(Box::<Vec<String>>::default());
    let options = sys::toll_svm_options {
        recorder: recorder.as_ptr(),
        translate: Some(translate),
        log: Some(log_line),
        log_user: lines.cast(),
        tracks_heap: sys::TOLL_SVM_TRACKS_HEAP,
        ..Default::default()
    };
    let mut svm = null_mut();
    // SAFETY: the options live as long as the call; libtoll copies what it keeps, but for the
    // recorder and the lines, which are freed after it.
    let status = unsafe { sys::toll_svm_create(&options, &mut svm, null_mut()) };
    assert_eq!(status, sys::TOLL_OK, "toll: no memory");
    Ok(Recorder { recorder, svm, lines })
}

/// # Safety
/// `sections` are `count` results of libtoll.
unsafe fn copy(sections: *const sys::toll_section, count: usize) -> Vec<Section> {
    let slice = if count == 0 { &[] } else { std::slice::from_raw_parts(sections, count) };
    let copy_one = |s: &sys::toll_section| Section {
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

/// The result of a replay.
pub(crate) struct Replayed {
    /// The invocations, in the order of their ends.
    pub invocations: Vec<Invocation>,
    /// The line of the log that ends each of them. The last ones may have none, if their ends are
    /// not in the log.
    pub ends: Vec<usize>,
}

/// The replay of one transaction's log.
#[derive(Default)]
struct Replay {
    open: Vec<Invocation>,
    ended: Vec<Invocation>,
    remaining: u64,          // units, by the last event or line
    begun: Vec<(bool, u64)>, // for each of `open`: is it charged a price, and the units at its start
    placed: Vec<usize>,      // for each of `ended`: the line that ends it
    unlogged: u64,           // units that were charged but are in no line
}

impl Replay {
    /// Does the log have the units of an open invocation? These include the invocations inside it.
    fn is_logged(&self) -> bool {
        self.open.iter().any(|open| open.consumed.is_some())
    }
}

fn address(program: &str) -> CString {
    CString::new(program).expect("an address")
}

/// The runtime's price for an instruction of a built-in program; 0 for any other program.
fn price(program: &str) -> u64 {
    // SAFETY: the text lives as long as the call.
    unsafe { sys::toll_svm_price(address(program).as_ptr()) }
}

impl Recorder {
    pub(crate) fn new() -> Recorder {
        create().unwrap_or_else(|error| panic!("toll: {error}"))
    }

    /// The profile so far.
    pub(crate) fn snapshot(&self) -> Result<Profile, Error> {
        self.recorder.snapshot()
    }

    /// The lines that libtoll has logged since the last call.
    fn take_lines(&mut self) -> Vec<String> {
        // SAFETY: only libtoll's callback has the pointer too, and none is running.
        std::mem::take(unsafe { &mut *self.lines })
    }

    pub(crate) fn note(&mut self, text: &str, count: usize) {
        let _ = self.recorder.note(text, count as u64); // for lack of memory the profile lacks it
    }

    fn push(&mut self, run: &mut Replay, program: &str, budget: Option<(u64, u64)>) {
        let text = address(program);
        let price = if budget.is_none() && !run.is_logged() { price(program) } else { 0 };
        let remaining = budget.map_or(run.remaining, |(budget, _)| budget);
        if run.open.is_empty() {
            run.unlogged += run.remaining.saturating_sub(remaining);
        }
        run.begun.push((price > 0, remaining));
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
        unsafe { sys::toll_svm_push(self.svm, text.as_ptr(), &remaining, null_mut()) };
        run.remaining = remaining.saturating_sub(price); // an invocation that lacks units consumes all
    }

    fn pop(&mut self, run: &mut Replay, failed: bool) {
        let Some(mut last) = run.open.pop() else { return };
        if let Some((true, at_start)) = run.begun.pop() {
            last.consumed = Some(at_start.saturating_sub(run.remaining));
        }
        let mut results = sys::toll_section_results {
            ended: null(),
            ended_count: 0,
            open: null(),
            open_count: 0,
        };
        // SAFETY: the results are copied before the next call.
        unsafe {
            sys::toll_svm_pop(self.svm, failed.into(), &run.remaining, &mut results, null_mut());
            last.sections = copy(results.ended, results.ended_count);
            last.left_open = copy(results.open, results.open_count);
        }
        last.failed = failed;
        last.log.extend(self.take_lines());
        run.ended.push(last);
    }

    fn event(&mut self, run: &mut Replay, event: &Event) {
        let call = sys::toll_svm_call {
            memory: event.id.as_ptr() as *mut c_void,
            id_address: 0,
            id_size: event.id_size,
            heap_value: event.heap_value,
            tracks_heap: event.tracks_heap,
        };
        let function = match event.kind {
            Kind::Start => sys::toll_svm_start,
            Kind::End => sys::toll_svm_end,
        };
        run.remaining = event.remaining_units;
        // SAFETY: libtoll does not read ids beyond the limit, the only ones that were not copied.
        unsafe { function(self.svm, &call, &run.remaining) };
        let lines = self.take_lines();
        if let Some(last) = run.open.last_mut() {
            last.log.extend(lines);
        }
    }

    /// Replay one of the runtime's lines. False: the log was truncated there.
    fn line(&mut self, run: &mut Replay, line: log::Line, budget: Option<(u64, u64)>) -> bool {
        let innermost = run.open.last().map_or("", |last| &last.program);
        match line {
            log::Line::Invoke { program } => self.push(run, program, budget),
            log::Line::Consumed { program, used, budget } if program == innermost => {
                run.remaining = budget.saturating_sub(used);
            }
            log::Line::Ended { program, failed } if program == innermost => self.pop(run, failed),
            log::Line::Truncated => return false,
            _ => {}
        }
        true
    }

    /// Replay one transaction, or one instruction of a harness that has no transactions: its log,
    /// the calls of the syscalls, and the remaining units before and after it. After it fewer units
    /// may remain than the log shows: if the virtual machine stops a program, it takes all units.
    pub(crate) fn replay(
        &mut self,
        lines: &[String],
        events: &[Event],
        before: u64,
        after: u64,
    ) -> Replayed {
        let budgets = log::budgets(lines);
        let mut events = events.iter().peekable();
        let mut run = Replay { remaining: before, ..Replay::default() };
        for (i, line) in lines.iter().enumerate() {
            while let Some(event) = events.next_if(|event| event.log_lines <= i) {
                self.event(&mut run, event);
            }
            let Some(line) = log::parse(line) else { continue };
            if run.open.len() == 1 && matches!(line, log::Line::Ended { failed: true, .. }) {
                self.charge_rest(&mut run, after);
            }
            let goes_on = self.line(&mut run, line, budgets[i]);
            run.placed.resize(run.ended.len(), i);
            if !goes_on {
                self.note("logs that were truncated: what came after is not accounted for", 1);
                break;
            }
        }
        if run.open.is_empty() {
            run.unlogged += run.remaining.saturating_sub(after);
        }
        self.note("compute units that were charged and are not in the log", run.unlogged as usize);
        while !run.open.is_empty() {
            self.note("invocations whose end the log does not tell", 1);
            run.open.last_mut().expect("it is not empty").truncated = true;
            self.pop(&mut run, false);
        }
        self.note("calls that name sections, after the end of the log", events.count());
        Replayed { invocations: run.ended, ends: run.placed }
    }

    /// Note lines for which a log with a limit had no room.
    pub(crate) fn note_lines_without_room(&mut self, count: usize) {
        self.note("lines of sections that had no room in the transaction's log", count);
    }

    /// The outermost invocation has failed, and with it the transaction. Charge it for the units
    /// that were charged to the transaction but are not in its line.
    fn charge_rest(&mut self, run: &mut Replay, after: u64) {
        if let Some(consumed) = run.open[0].consumed.as_mut().filter(|_| after < run.remaining) {
            *consumed += run.remaining - after;
            run.remaining = after;
        }
    }
}
