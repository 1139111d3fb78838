//! Nanoseconds that are cheap enough to read at each event.

use {
    crate::{
        error::{made, Result},
        text::from_c,
    },
    std::ptr::{null, NonNull},
    toll_sys as sys,
};

/// A clock that takes a few nanoseconds to read: on x86-64 it reads the time stamp counter, if that
/// ticks at a constant rate, elsewhere the system's clock. Give each thread one.
///
/// ```
/// let mut clock = tollprof::Clock::new()?;
/// let mut recorder = tollprof::Recorder::new([tollprof::Counter::TIME])?;
/// let main = recorder.add_frame(&tollprof::Frame::new("main"))?;
/// recorder.call(main, [clock.now()]);
/// recorder.stop([clock.now()]);
/// # Ok::<(), tollprof::Error>(())
/// ```
#[derive(Debug)]
pub struct Clock(NonNull<sys::toll_clock>);

// SAFETY: a clock belongs to one thread at a time, but not to a certain one. It is not Sync: reading
// it changes it.
unsafe impl Send for Clock {}

impl Drop for Clock {
    fn drop(&mut self) {
        // SAFETY: no other code has it.
        unsafe { sys::toll_clock_free(self.0.as_ptr()) }
    }
}

impl Clock {
    /// A new clock. Takes 2 ms if the rate of the time stamp counter must be measured.
    pub fn new() -> Result<Clock> {
        // SAFETY: the arguments live as long as the call.
        made(|out, err| unsafe { sys::toll_clock_create(null(), out, err) }).map(Clock)
    }

    /// The time in nanoseconds, counted like CLOCK_MONOTONIC. It never goes back.
    #[inline]
    pub fn now(&mut self) -> u64 {
        // SAFETY: the clock is there as long as this.
        unsafe { sys::toll_clock_now(self.0.as_ptr()) }
    }

    /// What it reads: "time stamp counter", "clock_gettime", "QueryPerformanceCounter".
    pub fn source(&self) -> &'static str {
        // SAFETY: the text is static.
        unsafe { from_c(sys::toll_clock_source(self.0.as_ptr())) }
    }
}
