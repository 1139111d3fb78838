//! The recording of a process, which its user asks for with the variable TOLL_OUT.

use {
    crate::{
        error::{check, Result},
        text::{self, to_c},
        Counter,
    },
    std::{
        ffi::CString,
        path::Path,
        ptr::{null, null_mut},
        sync::atomic::{AtomicU64, Ordering},
    },
    toll_sys as sys,
};

/// Options of a [`Recording`].
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordingOptions<'a> {
    /// The file; none: the value of TOLL_OUT, and without that no recording.
    pub path: Option<&'a Path>,
    /// Frames deeper than this are charged to their ancestor there; 0: no limit.
    pub max_depth: u32,
    /// Install no handlers of signals.
    pub no_signals: bool,
    /// Record wall time, also while the thread waits; for [`timed`](Recording::timed) alone.
    pub wall_time: bool,
}

/// A function of the guest in a [`Recording`]. Keep it with the function, `default()` at first.
/// Each recording has its own: that of an earlier one is new to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FunctionId(sys::toll_embed_id);

/// A coroutine's stack in a [`Recording`]. Keep it with the coroutine.
#[derive(Debug)]
pub struct Coroutine(sys::toll_embed_track);

impl Coroutine {
    /// One that has no stack yet.
    pub const fn new() -> Coroutine {
        Coroutine(sys::toll_embed_track { recording: 0, track: null_mut() })
    }
}

impl Default for Coroutine {
    fn default() -> Coroutine {
        Coroutine::new()
    }
}

/// Profiles the one machine of a program, if its user wants it: if the environment variable
/// `TOLL_OUT` names a file (`run.pb.gz`, `run.folded`, ...). Otherwise all functions do nothing.
///
/// It records a counter of the machine (`Recording<1>`: events get its value) or nanoseconds
/// (`Recording<0>`: events get nothing).
///
/// ```
/// use tollprof::{Counter, FunctionId, Recording};
///
/// struct Function {
///     name: String,
///     line: u32,
///     id: FunctionId,
/// }
///
/// let mut toll = Recording::counting(Counter::new("ticks", "count"));
/// let mut main = Function { name: "main".into(), line: 1, id: FunctionId::default() };
/// // At each call:
/// if toll.is_new(main.id) {
///     main.id = toll.add(&main.name, "guest.vm", main.line);
/// }
/// toll.call(main.id, [0]);
/// // At each return:
/// toll.ret([22]);
/// toll.end([22])?;
/// # Ok::<(), tollprof::Error>(())
/// ```
///
/// The file is written at its end, when it is dropped, when the process exits
/// ([`std::process::exit`], too), or when SIGINT, SIGTERM or SIGHUP ends it; not by an abort. `%p`
/// in its name is the process's id, `%n` the number of the recording in the process. Without
/// [`end`](Recording::end) a counter's last value is that of the last event. What no caller can get
/// as an error is a line on standard error.
///
/// There is one recording at a time in a process, and it stays on the thread that began it: it is
/// neither Send nor Sync. Programs with several machines have a [`Recorder`](crate::Recorder) for
/// each.
#[derive(Debug)]
pub struct Recording<const N: usize> {
    /// NULL: nothing is recorded. A pointer makes this neither Send nor Sync.
    raw: *mut sys::toll_embed,
    /// The counter. libtoll has its address, and reads it in events and in a handler of a signal.
    /// It is in a box, since the recording may be moved.
    counter: Box<AtomicU64>,
}

impl<const N: usize> Drop for Recording<N> {
    fn drop(&mut self) {
        // SAFETY: no other code has it; the counter is freed after this.
        unsafe { sys::toll_embed_end(self.raw, null_mut()) };
    }
}

impl Recording<0> {
    /// Begin a recording of nanoseconds: of CPU time, and of what was waited; of wall time where
    /// CPU time is not cheap to read.
    pub fn timed() -> Recording<0> {
        Recording::timed_with(&RecordingOptions::default())
    }

    /// The same with options.
    pub fn timed_with(options: &RecordingOptions) -> Recording<0> {
        Recording::begin(None, options)
    }
}

impl Recording<1> {
    /// Begin a recording of a counter.
    pub fn counting(counter: Counter) -> Recording<1> {
        Recording::counting_with(counter, &RecordingOptions::default())
    }

    /// The same with options.
    pub fn counting_with(counter: Counter, options: &RecordingOptions) -> Recording<1> {
        Recording::begin(Some(counter), options)
    }

    /// The machine sets the counter from `last` to `now`, which spends nothing: a callee gets a
    /// part of its caller's budget, or the rest comes back.
    pub fn budget(&mut self, last: u64, now: [u64; 1]) {
        self.set(now);
        // SAFETY: see below; the address is that of the counter.
        unsafe { sys::toll_embed_budget(self.raw, last, self.counter.as_ptr()) }
    }
}

impl<const N: usize> Recording<N> {
    fn begin(counter: Option<Counter>, options: &RecordingOptions) -> Recording<N> {
        let mut recording = Recording { raw: null_mut(), counter: Box::default() };
        match recording.try_begin(counter, options) {
            Ok(raw) => recording.raw = raw,
            Err(error) => eprintln!("toll: {error}"),
        }
        recording
    }

    fn try_begin(
        &self,
        counter: Option<Counter>,
        options: &RecordingOptions,
    ) -> Result<*mut sys::toll_embed> {
        let path = options.path.map(text::path).transpose()?;
        let names = counter.map(|c| Ok((to_c(c.name)?, to_c(c.unit)?))).transpose()?;
        let recorder =
            sys::toll_recorder_options { max_depth: options.max_depth, ..Default::default() };
        let as_ptr = |text: &CString| text.as_ptr();
        let options = sys::toll_embed_options {
            path: path.as_ref().map_or(null(), as_ptr),
            counter: if counter.is_some() { self.counter.as_ptr() } else { null() },
            counter_type: names.as_ref().map_or(null(), |(name, _)| as_ptr(name)),
            counter_unit: names.as_ref().map_or(null(), |(_, unit)| as_ptr(unit)),
            counts_down: counter.is_some_and(|c| c.counts_down).into(),
            no_signals: options.no_signals.into(),
            wall_time: options.wall_time.into(),
            recorder: &recorder,
            ..Default::default()
        };
        // SAFETY: libtoll copies what it keeps, but for the counter, which lives until the end.
        Ok(unsafe { sys::toll_embed_begin(&options) })
    }

    fn set(&self, now: [u64; N]) {
        if let Some(now) = now.first() {
            self.counter.store(*now, Ordering::Relaxed);
        }
    }

    // In the functions below: SAFETY: `raw` is NULL, for which libtoll does nothing, or the
    // recording, which this thread has begun. Ids of other recordings are recognised by libtoll.

    /// Whether anything is recorded.
    pub fn is_on(&self) -> bool {
        !self.raw.is_null()
    }

    /// Whether the function must be [added](Recording::add) before it is called. Never, if nothing
    /// is recorded, so that no names are looked up.
    #[inline]
    pub fn is_new(&self, function: FunctionId) -> bool {
        unsafe { sys::toll_embed_is_new(self.raw, function.0) != 0 }
    }

    /// Register a function, or find it. Without a name it is called FILE:LINE.
    pub fn add(&mut self, name: &str, file: &str, line: u32) -> FunctionId {
        // A name ends where it has a NUL, as in C: a call cannot fail.
        let upto_nul = |text: &str| CString::new(text.split('\0').next().unwrap_or_default());
        let (Ok(name), Ok(file)) = (upto_nul(name), upto_nul(file)) else {
            return FunctionId::default();
        };
        let (name, file) = (name.as_ptr(), file.as_ptr());
        FunctionId(unsafe { sys::toll_embed_add(self.raw, name, file, line) })
    }

    /// A call: what was spent up to here is the caller's.
    #[inline]
    pub fn call(&mut self, callee: FunctionId, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_call(self.raw, callee.0) }
    }

    /// A return.
    #[inline]
    pub fn ret(&mut self, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_return(self.raw) }
    }

    /// A tail call: the callee replaces its caller.
    #[inline]
    pub fn tail_call(&mut self, callee: FunctionId, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_tail_call(self.raw, callee.0) }
    }

    /// Enter a function that continues, such as a generator: no call is counted.
    pub fn adopt(&mut self, function: FunctionId, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_adopt(self.raw, function.0) }
    }

    /// Leave frames until `depth` are open: errors, exceptions.
    pub fn unwind(&mut self, depth: u64, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_unwind(self.raw, depth) }
    }

    /// For machines that only know their stack: from here on `depth` frames are open, and the
    /// innermost is `function`.
    pub fn sync(&mut self, depth: u64, function: FunctionId, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_sync(self.raw, depth, function.0) }
    }

    /// Make the stack of a coroutine current; those of one thread name add up.
    pub fn switch(&mut self, to: &mut Coroutine, thread: &str, now: [u64; N]) {
        self.set(now);
        let thread = CString::new(thread).unwrap_or_default();
        unsafe { sys::toll_embed_switch(self.raw, &mut to.0, thread.as_ptr()) }
    }

    /// Make the stack current that the recording began with.
    pub fn switch_to_main(&mut self, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_switch(self.raw, null_mut(), null()) }
    }

    /// Free the stack of a coroutine that will not run again.
    pub fn end_coroutine(&mut self, coroutine: &mut Coroutine, now: [u64; N]) {
        self.set(now);
        unsafe { sys::toll_embed_end_track(self.raw, &mut coroutine.0) }
    }

    /// Write the file with everything so far; the recording goes on.
    pub fn save(&mut self, now: [u64; N]) -> Result<()> {
        self.set(now);
        check(|err| unsafe { sys::toll_embed_save(self.raw, err) })
    }

    /// Write the file, and end the recording. Frames may be open.
    pub fn end(mut self, now: [u64; N]) -> Result<()> {
        self.set(now);
        let raw = std::mem::replace(&mut self.raw, null_mut());
        check(|err| unsafe { sys::toll_embed_end(raw, err) })
    }
}
