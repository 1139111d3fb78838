//! Profiles out of profiles: sums, differences, parts and simpler ones.

use {
    crate::{
        error::{check, made},
        text::{to_c, Optional},
        Profile, Result,
    },
    toll_sys as sys,
};

/// What to keep. Patterns are regular expressions, found anywhere in names of frames and in
/// "FILE:LINE".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter<'a> {
    /// Keep stacks with a frame that matches.
    pub focus: Option<&'a str>,
    /// Drop stacks with a frame that matches.
    pub ignore: Option<&'a str>,
    /// Keep threads whose name matches.
    pub thread: Option<&'a str>,
    /// Keep threads with these labels, as in [`Profile::with_labels`]; of several values of one key
    /// any.
    pub labels: Option<&'a str>,
}

/// An error if these are no labels that [`Profile::with_labels`] accepts.
pub fn check_labels(labels: &str) -> Result<()> {
    let labels = to_c(labels)?;
    // SAFETY: the text lives as long as the call.
    check(|err| unsafe { sys::toll_labels_check(labels.as_ptr(), err) })
}

impl Profile {
    // SAFETY: as in profile.rs; what is made is a copy.

    /// Add another profile: values by stack and thread, counts of notes, duration. Columns are
    /// matched by name and unit. After a failure this is as it was.
    pub fn merge(&mut self, other: &Profile) -> Result<()> {
        check(|err| unsafe { sys::toll_profile_merge(self.as_ptr(), other.as_ptr(), err) })
    }

    /// The difference `after - self`, stack by stack.
    pub fn diff(&self, after: &Profile) -> Result<Profile> {
        made(|out, err| unsafe { sys::toll_profile_diff(self.as_ptr(), after.as_ptr(), out, err) })
            .map(Profile::of)
    }

    /// The part that passes a filter.
    pub fn filter(&self, filter: &Filter) -> Result<Profile> {
        let (focus, ignore) = (Optional::of(filter.focus)?, Optional::of(filter.ignore)?);
        let (thread, labels) = (Optional::of(filter.thread)?, Optional::of(filter.labels)?);
        let filter = sys::toll_filter {
            focus: focus.as_ptr(),
            ignore: ignore.as_ptr(),
            thread: thread.as_ptr(),
            where_: labels.as_ptr(),
            ..Default::default()
        };
        made(|out, err| unsafe { sys::toll_profile_filter(self.as_ptr(), &filter, out, err) })
            .map(Profile::of)
    }

    /// A copy in which all threads have these labels: `commit=3f2a,host=a`, or one on each line.
    /// They replace labels of the same keys.
    pub fn with_labels(&self, labels: &str) -> Result<Profile> {
        let labels = to_c(labels)?;
        made(|out, err| unsafe {
            sys::toll_profile_with_labels(self.as_ptr(), labels.as_ptr(), out, err)
        })
        .map(Profile::of)
    }

    /// A copy in which threads have only the labels of these keys: `host,commit`. Without the key
    /// `thread` threads of all names are one.
    pub fn group_by(&self, keys: &str) -> Result<Profile> {
        let keys = to_c(keys)?;
        made(|out, err| unsafe {
            sys::toll_profile_group_by(self.as_ptr(), keys.as_ptr(), out, err)
        })
        .map(Profile::of)
    }

    /// A copy in which frames deeper than `depth` are charged to their ancestor there.
    pub fn fold_depth(&self, depth: u32) -> Result<Profile> {
        made(|out, err| unsafe { sys::toll_profile_fold_depth(self.as_ptr(), depth, out, err) })
            .map(Profile::of)
    }

    /// A copy.
    pub fn copy(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_copy)
    }

    /// A copy without recursion: a call of a function that is already on the stack is charged to
    /// the stack up to that frame.
    pub fn fold_recursion(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_fold_recursion)
    }

    /// A copy in which sections are the only frames.
    pub fn fold_sections(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_fold_sections)
    }

    /// A copy without places: each function is one frame.
    pub fn fold_places(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_fold_places)
    }

    /// A copy without inlined functions, whose costs are the caller's.
    pub fn fold_inlined(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_fold_inlined)
    }

    /// A copy with all threads added up as one.
    pub fn fold_threads(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_fold_threads)
    }

    /// A copy without stacks, frames and threads that have no value.
    pub fn prune(&self) -> Result<Profile> {
        self.made_by(sys::toll_profile_prune)
    }

    /// An error if the profile breaks its invariants. With `is_difference` values may be negative.
    pub fn check(&self, is_difference: bool) -> Result<()> {
        check(|err| unsafe { sys::toll_profile_check(self.as_ptr(), is_difference.into(), err) })
    }

    /// A profile that libtoll makes of this one alone.
    fn made_by(&self, function: MakesProfile) -> Result<Profile> {
        made(|out, err| unsafe { function(self.as_ptr(), out, err) }).map(Profile::of)
    }
}

type MakesProfile = unsafe extern "C" fn(
    *const sys::toll_profile,
    *mut *mut sys::toll_profile,
    *mut sys::toll_error,
) -> sys::toll_status;
