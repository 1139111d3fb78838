//! Tracks: the stacks of coroutines, fibers and green threads.

use {
    std::{
        ptr::{null_mut, NonNull},
        sync::atomic::{AtomicU64, Ordering},
    },
    toll_sys as sys,
};

/// A separate call stack in a [`Recorder`](crate::Recorder): of a coroutine, a fiber, a worker. Keep
/// it with the coroutine. The recorder has its memory; ending the track gives it back early.
///
/// It cannot be used after it was ended, since [`end_track`](crate::Recorder::end_track) takes it,
/// and there is no second one of it.
#[derive(Debug)]
pub struct Track {
    raw: NonNull<sys::toll_track>,
    /// libtoll does not check whose track it is. So each recorder has a number, of this process
    /// alone, and gets another one when it frees its tracks.
    owner: u64,
}

// SAFETY: the pointer is only used by a recorder that is borrowed mutably, if it is its own.
unsafe impl Send for Track {}
unsafe impl Sync for Track {}

impl Track {
    pub(crate) fn new(raw: NonNull<sys::toll_track>, owner: u64) -> Track {
        Track { raw, owner }
    }

    /// A number for a recorder that no other one has had.
    pub(crate) fn new_owner() -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0);
        LAST.fetch_add(1, Ordering::Relaxed)
    }

    /// The track of libtoll, or NULL, of which an event does nothing but charge, if it is not of
    /// that recorder.
    pub(crate) fn of(&self, owner: u64) -> *mut sys::toll_track {
        if self.owner == owner {
            self.raw.as_ptr()
        } else {
            null_mut()
        }
    }
}
