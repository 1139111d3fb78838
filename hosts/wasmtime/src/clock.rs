//! The clock of the recordings in a store, which stops while the guest is suspended.

use crate::Clock;
use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

const RUNS: u64 = u64::MAX;

/// The clock of one store. Like the store, it is used by one thread at a time.
pub struct StoreClock {
    clock: Clock,
    began: Instant,
    first: u64,            // the first time that Clock::Function returned
    polls: AtomicU32,      // calls that are being polled, one within the other
    stopped_at: AtomicU64, // the time at which the clock has stopped; or RUNS
    suspended: AtomicU64,  // nanoseconds of suspensions so far
}

impl StoreClock {
    pub fn new(clock: &Clock) -> StoreClock {
        let first = if let Clock::Function(now) = clock { now() } else { 0 };
        StoreClock {
            clock: clock.clone(),
            began: Instant::now(),
            first,
            polls: AtomicU32::new(0),
            stopped_at: AtomicU64::new(RUNS),
            suspended: AtomicU64::new(0),
        }
    }

    /// Nanoseconds, including suspensions.
    fn now(&self) -> u64 {
        match &self.clock {
            Clock::None => 0,
            Clock::Monotonic => self.began.elapsed().as_nanos() as u64,
            Clock::Function(now) => now().saturating_sub(self.first),
        }
    }

    /// Nanoseconds, excluding suspensions.
    pub fn read(&self) -> u64 {
        let now = match self.stopped_at.load(Relaxed) {
            RUNS => self.now(),
            stopped_at => stopped_at,
        };
        now.saturating_sub(self.suspended.load(Relaxed))
    }

    pub fn run(&self) {
        let stood_at = self.stopped_at.swap(RUNS, Relaxed);
        if stood_at != RUNS {
            self.suspended.fetch_add(self.now().saturating_sub(stood_at), Relaxed);
        }
    }

    pub fn begin_poll(&self) {
        if self.polls.fetch_add(1, Relaxed) == 0 {
            self.run();
        }
    }

    /// A poll of a call ends. If the outermost call is pending, the guest is suspended, and the
    /// clock stops.
    pub fn end_poll(&self, is_pending: bool) {
        if self.polls.fetch_sub(1, Relaxed) == 1 && is_pending {
            self.stopped_at.store(self.now(), Relaxed);
        }
    }
}
