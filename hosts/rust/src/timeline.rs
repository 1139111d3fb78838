//! Every call in the order of time, for flame charts.

use {
    crate::{
        error::{check, made},
        text::{self, to_c},
        Counter, Result,
    },
    std::{
        path::Path,
        ptr::{null, NonNull},
    },
    toll_sys as sys,
};

/// Where a recorder writes each call in the order of time, 3 to 6 bytes each. The axis is its first
/// counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order<'a> {
    /// A temporary file, from which formats that keep the order are written.
    Temporary,
    /// A file in Toll's format "timeline", which can be read up to the last event although the
    /// process was killed.
    File(&'a Path),
}

/// Every call of a run in the order of time: from a [`Recorder`](crate::Recorder) with
/// [`Options::order`](crate::Options::order), or from a [file](crate::ReadOptions::timeline).
#[derive(Debug)]
pub struct Timeline(NonNull<sys::toll_timeline>);

// SAFETY: libtoll has no state of a thread's own, so a timeline may move to another thread. It is
// not Sync, as a profile is not.
unsafe impl Send for Timeline {}

impl Drop for Timeline {
    fn drop(&mut self) {
        // SAFETY: no other code has it: a recorder that writes it is freed before.
        unsafe { sys::toll_timeline_free(self.0.as_ptr()) }
    }
}

impl Timeline {
    pub(crate) fn of(raw: NonNull<sys::toll_timeline>) -> Timeline {
        Timeline(raw)
    }

    pub(crate) fn create(axis: &Counter, order: Order) -> Result<Timeline> {
        let (name, unit) = (to_c(axis.name)?, to_c(axis.unit)?);
        let axis = sys::toll_value_type { type_: name.as_ptr(), unit: unit.as_ptr() };
        // SAFETY: the arguments live as long as the calls.
        match order {
            Order::Temporary => {
                made(|out, err| unsafe { sys::toll_timeline_create(null(), axis, 0, out, err) })
            }
            Order::File(path) => {
                let path = text::path(path)?;
                made(|out, err| unsafe {
                    sys::toll_timeline_create_file(null(), axis, path.as_ptr(), out, err)
                })
            }
        }
        .map(Timeline)
    }

    pub(crate) fn as_ptr(&self) -> *mut sys::toll_timeline {
        self.0.as_ptr()
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        // SAFETY: it is there as long as this.
        check(|err| unsafe { sys::toll_timeline_finish(self.as_ptr(), err) })
    }

    /// The number of frames that were opened and closed.
    pub fn event_count(&self) -> u64 {
        // SAFETY: it is there as long as this.
        unsafe { sys::toll_timeline_event_count(self.as_ptr()) }
    }

    /// Whether it was read from a file without an end, because its process was killed.
    pub fn is_cut(&self) -> bool {
        // SAFETY: it is there as long as this.
        unsafe { sys::toll_timeline_is_cut(self.as_ptr()) != 0 }
    }
}
