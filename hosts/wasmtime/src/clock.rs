//! The clock of the recordings in a store, which stops while the guest is suspended.

use crate::Clock;
use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

const RUNS: u64 = u64::MAX;

/// Of a store: one thread's at a time, as that is.
pub struct StoreClock {
    clock: Clock,
    began: Instant,
    first: u64,           // what a function returned at first
    polls: AtomicU32,     // of calls that are under way, one within the other
    stands_at: AtomicU64, // or RUNS
    suspended: AtomicU64, // nanoseconds, so far
}

impl StoreClock {
    pub fn new(clock: &Clock) -> StoreClock {
        let first = if let Clock::Function(now) = clock { now() } else { 0 };
        StoreClock {
            clock: clock.clone(),
            began: Instant::now(),
            first,
            polls: AtomicU32::new(0),
            stands_at: AtomicU64::new(RUNS),
            suspended: AtomicU64::new(0),
        }
    }

    /// Nanoseconds, with those of suspensions.
    fn now(&self) -> u64 {
        match &self.clock {
            Clock::None => 0,
            Clock::Monotonic => self.began.elapsed().as_nanos() as u64,
            Clock::Function(now) => now().saturating_sub(self.first),
        }
    }

    /// Nanoseconds without those of suspensions.
    pub fn read(&self) -> u64 {
        let now = match self.stands_at.load(Relaxed) {
            RUNS => self.now(),
            stands_at => stands_at,
        };
        now.saturating_sub(self.suspended.load(Relaxed))
    }

    pub fn run(&self) {
        let stood_at = self.stands_at.swap(RUNS, Relaxed);
        if stood_at != RUNS {
            self.suspended.fetch_add(self.now().saturating_sub(stood_at), Relaxed);
        }
    }

    pub fn begin_poll(&self) {
        if self.polls.fetch_add(1, Relaxed) == 0 {
            self.run();
        }
    }

    /// The call is not over if it is pending; with the outermost one the guest is suspended.
    pub fn end_poll(&self, is_pending: bool) {
        if self.polls.fetch_sub(1, Relaxed) == 1 && is_pending {
            self.stands_at.store(self.now(), Relaxed);
        }
    }
}
