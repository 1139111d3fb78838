//! The recorder: events in, profile out.

use {
    crate::{
        error::{check, id_of, made},
        text::{to_c, Optional},
        Error, Frame, FrameId, Order, Profile, Result, Status, Timeline, Track,
    },
    std::{
        ffi::CString,
        ptr::{null, null_mut, NonNull},
    },
    toll_sys as sys,
};

/// What is counted: its name and unit, which are those of the profile's column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counter<'a> {
    /// "ticks", "gas", "time".
    pub name: &'a str,
    /// "count", "gas", "nanoseconds".
    pub unit: &'a str,
    /// It is what remains of a budget: spending makes it smaller.
    pub counts_down: bool,
}

impl<'a> Counter<'a> {
    /// Nanoseconds, such as those of [`Clock`](crate::Clock).
    pub const TIME: Counter<'static> = Counter::new("time", "nanoseconds");

    /// A counter that goes up.
    pub const fn new(name: &'a str, unit: &'a str) -> Counter<'a> {
        Counter { name, unit, counts_down: false }
    }

    /// A counter of what remains of a budget.
    pub const fn remaining(name: &'a str, unit: &'a str) -> Counter<'a> {
        Counter { name, unit, counts_down: true }
    }
}

/// Options of a recorder: `Options { heap: true, ..Options::default() }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// Frames deeper than this are charged to their ancestor there; 0: no limit.
    pub max_depth: u32,
    /// Columns for allocations: see [`Recorder::heap_alloc`].
    pub heap: bool,
    /// A column "heap" in "bytes" for the heap of sections.
    pub section_heap: bool,
    /// A resumed track's stack is under the frame that resumed it; else it is a root of its own.
    pub join_threads: bool,
    /// Costs by line: see [`Recorder::line`].
    pub lines: bool,
    /// With `lines`: callees are under the line that called them; else under the function.
    pub call_lines: bool,
    /// The thread of the main track; none: "main". In merged profiles threads of one name add up:
    /// give the recorder of each OS thread a name of its own.
    pub main_thread: Option<&'a str>,
    /// Also keep every call in the order of time: see [`Recorder::timeline`].
    pub order: Option<Order<'a>>,
}

/// Turns calls and returns into an exact profile. `N` is the number of counters, at most 4; each
/// event gets their present values, in the order in which they were named, and charges what they
/// have moved since the last event to the stack that was current until now.
///
/// ```
/// use tollprof::{Counter, Frame, Recorder};
///
/// let mut recorder = Recorder::new([Counter::new("ticks", "count")])?;
/// let main = recorder.add_frame(&Frame::new("main"))?;
/// let square = recorder.add_frame(&Frame::new("square"))?;
/// recorder.call(main, [0]);
/// recorder.call(square, [10]); // main has spent 10
/// recorder.ret([17]);
/// recorder.stop([22]);
/// assert_eq!(recorder.snapshot()?.to_text("folded")?, "main 15\nmain;square 7\n");
/// # Ok::<(), tollprof::Error>(())
/// ```
///
/// Events cannot fail. What has to be dropped or guessed, such as a return without a call, is
/// counted in the profile's [notes](Profile::notes), and the sums of counters stay exact. Toll's
/// docs/semantics.md defines each event. An event allocates memory only for a stack that is new.
#[derive(Debug)]
pub struct Recorder<const N: usize> {
    raw: NonNull<sys::toll_recorder>,
    /// What the recorder writes, too. It is freed after the recorder.
    timeline: Option<Timeline>,
    /// The number that the tracks of this recorder have, and no others: see [`Track`].
    own: u64,
}

// SAFETY: libtoll has no state of a thread's own, so a recorder may move to another thread. It is
// not Sync: functions that only look at a recorder are not made for two threads at once.
unsafe impl<const N: usize> Send for Recorder<N> {}

impl<const N: usize> Drop for Recorder<N> {
    fn drop(&mut self) {
        // SAFETY: no other code has it; tracks are only used together with it.
        unsafe { sys::toll_recorder_free(self.raw.as_ptr()) }
    }
}

impl<const N: usize> Recorder<N> {
    /// A recorder with these counters. Without any (`Recorder::new([])`) it counts calls.
    pub fn new(counters: [Counter; N]) -> Result<Recorder<N>> {
        Recorder::with(counters, &Options::default())
    }

    /// The same with options. More than 4 counters, or two that are equal, are an error.
    pub fn with(counters: [Counter; N], options: &Options) -> Result<Recorder<N>> {
        let timeline = match (options.order, counters.first()) {
            (None, _) => None,
            (Some(order), Some(axis)) => Some(Timeline::create(axis, order)?),
            _ => return Err(Error::new(Status::Argument, "the order of calls needs a counter")),
        };
        let texts: Vec<(CString, CString)> =
            counters.iter().map(|c| Ok((to_c(c.name)?, to_c(c.unit)?))).collect::<Result<_>>()?;
        let of = |(c, (name, unit)): (&Counter, &(CString, CString))| sys::toll_counter {
            type_: name.as_ptr(),
            unit: unit.as_ptr(),
            counts_down: c.counts_down.into(),
        };
        let counters: Vec<_> = counters.iter().zip(&texts).map(of).collect();
        let main_thread = Optional::of(options.main_thread)?;
        let options = sys::toll_recorder_options {
            counters: counters.as_ptr(),
            counter_count: N as u32,
            max_depth: options.max_depth,
            heap: options.heap.into(),
            section_heap: options.section_heap.into(),
            join_threads: options.join_threads.into(),
            timeline: timeline.as_ref().map_or(null_mut(), Timeline::as_ptr),
            main_thread: main_thread.as_ptr(),
            lines: options.lines.into(),
            call_lines: options.call_lines.into(),
            ..Default::default()
        };
        // SAFETY: the options live as long as the call, and libtoll copies what it keeps, but for
        // the timeline, which lives as long as the recorder.
        let raw = made(|out, err| unsafe { sys::toll_recorder_create(&options, out, err) })?;
        Ok(Recorder { raw, timeline, own: Track::new_owner() })
    }

    /// The recorder of libtoll, for functions of the crate toll-sys that this crate does not have.
    /// It is freed with this, and must not be reset or freed by others.
    pub fn as_ptr(&self) -> *mut sys::toll_recorder {
        self.raw.as_ptr()
    }

    // In the functions below: SAFETY: `raw` is there as long as this, and no other code uses it at
    // the same time, since functions that change it take `&mut self`, and it is not Sync. The
    // arguments live as long as the call. `now` has as many numbers as the recorder has counters.
    // Ids are checked by libtoll.

    /// Register a function, or find it. Do it once, and keep the id.
    pub fn add_frame(&mut self, frame: &Frame) -> Result<FrameId> {
        let raw = self.as_ptr();
        frame
            .with_c(|frame| {
                id_of(|out, err| unsafe { sys::toll_recorder_add_frame(raw, frame, out, err) })
            })
            .map(FrameId)
    }

    /// The fields of a registered frame; all empty for one that is not registered.
    pub fn frame(&self, id: FrameId) -> Frame<'_> {
        // SAFETY: see above; the texts stay until a frame is added or renamed, for which this would
        // have to be borrowed again.
        unsafe { Frame::of(sys::toll_recorder_frame(self.as_ptr(), id.0)) }
    }

    /// Give a frame another name, also in stacks that have it already.
    pub fn rename_frame(&mut self, id: FrameId, name: &str) -> Result<()> {
        let name = to_c(name)?;
        check(|err| unsafe {
            sys::toll_recorder_rename_frame(self.as_ptr(), id.0, name.as_ptr(), err)
        })
    }

    // --- events ---------------------------------------------------------------------------------

    /// A call: charge the current stack, then enter the callee.
    #[inline]
    pub fn call(&mut self, callee: FrameId, now: [u64; N]) {
        unsafe { sys::toll_recorder_call(self.as_ptr(), callee.0, now.as_ptr()) }
    }

    /// A return: charge the current stack, then leave its innermost frame.
    #[inline]
    pub fn ret(&mut self, now: [u64; N]) {
        unsafe { sys::toll_recorder_return(self.as_ptr(), now.as_ptr()) }
    }

    /// A tail call: charge the current stack, then the callee replaces its innermost frame.
    #[inline]
    pub fn tail_call(&mut self, callee: FrameId, now: [u64; N]) {
        unsafe { sys::toll_recorder_tail_call(self.as_ptr(), callee.0, now.as_ptr()) }
    }

    /// Errors and exceptions: charge the current stack, then leave frames until `depth` are open.
    pub fn unwind(&mut self, depth: u64, now: [u64; N]) {
        unsafe { sys::toll_recorder_unwind(self.as_ptr(), depth, now.as_ptr()) }
    }

    /// Enter frames that are on the stack already, outermost first: profiling begins in the middle
    /// of a run, or a generator continues. No calls are counted.
    pub fn adopt(&mut self, frames: &[FrameId], now: [u64; N]) {
        let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
        // SAFETY: see above; a FrameId is laid out as its number.
        let frames = frames.as_ptr().cast();
        unsafe { sys::toll_recorder_adopt(self.as_ptr(), frames, count, now.as_ptr()) }
    }

    /// With [`Options::lines`]: charge the current stack; from now on the innermost function is at
    /// the place `at`, a frame of the same function [at](Frame::at) a line. Call it before the
    /// counters move for that line.
    #[inline]
    pub fn line(&mut self, at: FrameId, now: [u64; N]) {
        unsafe { sys::toll_recorder_line(self.as_ptr(), at.0, now.as_ptr()) }
    }

    /// The line at which an [adopted](Recorder::adopt) function is already: like `line`, but not
    /// counted as an execution.
    pub fn adopt_line(&mut self, at: FrameId, now: [u64; N]) {
        unsafe { sys::toll_recorder_adopt_line(self.as_ptr(), at.0, now.as_ptr()) }
    }

    /// Charge what the counters have moved up to now to the current stack.
    pub fn charge(&mut self, now: [u64; N]) {
        unsafe { sys::toll_recorder_charge(self.as_ptr(), now.as_ptr()) }
    }

    /// Continue from the present values of the counters, and charge nothing for the step: the
    /// machine has set a counter to a new value.
    pub fn rebase(&mut self, now: [u64; N]) {
        unsafe { sys::toll_recorder_rebase(self.as_ptr(), now.as_ptr()) }
    }

    /// The number of open frames of the current track.
    pub fn depth(&self) -> u64 {
        unsafe { sys::toll_recorder_depth(self.as_ptr()) }
    }

    // --- tracks: coroutines, fibers, green threads ----------------------------------------------

    /// A new track with an empty stack, whose costs belong to that thread of the profile. A track
    /// that will not run again should be [ended](Recorder::end_track).
    pub fn new_track(&mut self, thread: &str) -> Result<Track> {
        let thread = to_c(thread)?;
        let raw = made(|out, err| unsafe {
            sys::toll_recorder_new_track(self.as_ptr(), thread.as_ptr(), out, err)
        })?;
        Ok(Track::new(raw, self.own))
    }

    /// Charge the current track, then make another one current. A track of another recorder, or of
    /// before the last [`reset`](Recorder::reset), is counted in a note, and not used.
    #[inline]
    pub fn switch(&mut self, track: &Track, now: [u64; N]) {
        unsafe { sys::toll_recorder_switch(self.as_ptr(), track.of(self.own), now.as_ptr()) }
    }

    /// The same for the track that the recorder began with.
    #[inline]
    pub fn switch_to_main(&mut self, now: [u64; N]) {
        unsafe {
            let main = sys::toll_recorder_main_track(self.as_ptr());
            sys::toll_recorder_switch(self.as_ptr(), main, now.as_ptr())
        }
    }

    /// The same as [`switch`](Recorder::switch); with [`Options::join_threads`] the track's stack
    /// continues the current stack.
    pub fn resume(&mut self, track: &Track, now: [u64; N]) {
        unsafe { sys::toll_recorder_resume(self.as_ptr(), track.of(self.own), now.as_ptr()) }
    }

    /// Free a track. If it is current, it is charged first, and the main track becomes current.
    pub fn end_track(&mut self, track: Track, now: [u64; N]) {
        unsafe { sys::toll_recorder_end_track(self.as_ptr(), track.of(self.own), now.as_ptr()) }
    }

    // --- sections, heap -------------------------------------------------------------------------

    /// A section begins, a frame that stays on the stack whatever is called and returned until it
    /// ends.
    pub fn section_begin(&mut self, section: FrameId, now: [u64; N]) -> Result<()> {
        check(|err| unsafe {
            sys::toll_recorder_section_begin(self.as_ptr(), section.0, now.as_ptr(), err)
        })
    }

    /// The section of that frame that began last ends. An error: there is none.
    pub fn section_end(&mut self, section: FrameId, now: [u64; N]) -> Result<()> {
        check(|err| unsafe {
            sys::toll_recorder_section_end(self.as_ptr(), section.0, now.as_ptr(), err)
        })
    }

    /// With [`Options::heap`]: the guest has allocated a block, which the current stack pays.
    pub fn heap_alloc(&mut self, address: u64, bytes: u64) {
        unsafe { sys::toll_recorder_heap_alloc(self.as_ptr(), address, bytes) }
    }

    /// With [`Options::heap`]: the guest has freed a block.
    pub fn heap_free(&mut self, address: u64) {
        unsafe { sys::toll_recorder_heap_free(self.as_ptr(), address) }
    }

    /// With [`Options::heap`]: the guest has resized a block.
    pub fn heap_realloc(&mut self, old: u64, new: u64, new_bytes: u64) {
        unsafe { sys::toll_recorder_heap_realloc(self.as_ptr(), old, new, new_bytes) }
    }

    // --- the end --------------------------------------------------------------------------------

    /// End the recording: charge the current stack, and close all frames. Later events are ignored
    /// and counted.
    pub fn stop(&mut self, now: [u64; N]) {
        unsafe { sys::toll_recorder_stop(self.as_ptr(), now.as_ptr()) }
    }

    /// Discard everything recorded, to record another run. Frames and their ids stay. Tracks are
    /// freed.
    pub fn reset(&mut self) {
        unsafe { sys::toll_recorder_reset(self.as_ptr()) }
        self.own = Track::new_owner(); // those that others still hold are not used any more
    }

    /// A copy of the profile so far. [`charge`](Recorder::charge) first, so that it is up to date.
    pub fn snapshot(&self) -> Result<Profile> {
        // SAFETY: see above; the profile is a copy.
        made(|out, err| unsafe { sys::toll_recorder_snapshot(self.as_ptr(), null(), out, err) })
            .map(Profile::of)
    }

    /// With [`Options::order`]: every call so far, for [`WriteOptions::timeline`].
    ///
    /// [`WriteOptions::timeline`]: crate::WriteOptions::timeline
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// End the timeline, which completes its file. An error is the first of its events, too: calls
    /// cannot fail, but a disk may be full. Without [`Options::order`] nothing happens.
    pub fn finish_timeline(&mut self) -> Result<()> {
        self.timeline.as_mut().map_or(Ok(()), Timeline::finish)
    }

    /// Count something that had to be dropped or guessed, in the profile's notes.
    pub fn note(&mut self, text: &str, count: u64) -> Result<()> {
        let text = to_c(text)?;
        check(|err| unsafe { sys::toll_recorder_note(self.as_ptr(), text.as_ptr(), count, err) })
    }
}
