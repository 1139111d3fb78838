//! A profile: what every call stack cost. Its other parts are in walk.rs, combine.rs, files.rs and
//! report.rs.

use {
    crate::{
        error::{check, id_of, made},
        text::{from_c, to_c},
        Column, ColumnId, Frame, FrameId, NodeId, Result, ThreadId,
    },
    std::{
        ffi::CString,
        ptr::{null, NonNull},
        time::{Duration, SystemTime},
    },
    toll_sys as sys,
};

/// What every call stack cost, in one or more columns. It comes from a
/// [`Recorder`](crate::Recorder), from a [file](Profile::read), or is built node by node.
///
/// ```
/// use tollprof::{Frame, Profile};
///
/// let mut profile = Profile::new()?;
/// let gas = profile.add_column("gas", "gas")?;
/// let main = profile.add_frame(&Frame::new("main"))?;
/// let thread = profile.add_thread("worker 1", &[("host", "a")])?;
/// let root = profile.root(thread).unwrap();
/// let node = profile.add_child(root, main)?;
/// profile.add_self(node, gas, 21)?;
/// assert_eq!(profile.total(gas)?, 21);
/// # Ok::<(), tollprof::Error>(())
/// ```
#[derive(Debug)]
pub struct Profile(NonNull<sys::toll_profile>);

// SAFETY: libtoll has no state of a thread's own, so a profile may move to another thread. It is not
// Sync: a profile is for one thread at a time, also if that only looks at it.
unsafe impl Send for Profile {}

impl Drop for Profile {
    fn drop(&mut self) {
        // SAFETY: no other code has it, and texts that it has returned borrow it.
        unsafe { sys::toll_profile_free(self.0.as_ptr()) }
    }
}

impl Profile {
    // In all functions of this type: SAFETY: the profile is there as long as this, and no other code
    // uses it at the same time, since functions that change it take `&mut self`, and it is not
    // Sync. The other arguments live as long as the call. Ids are checked by libtoll.

    pub(crate) fn of(raw: NonNull<sys::toll_profile>) -> Profile {
        Profile(raw)
    }

    /// A profile that a function of the crate toll-sys has made.
    ///
    /// # Safety
    /// No other code may use or free it from now on.
    pub unsafe fn from_raw(raw: NonNull<sys::toll_profile>) -> Profile {
        Profile(raw)
    }

    /// The profile of libtoll, for functions of the crate toll-sys that this crate does not have.
    /// It is freed with this. It must not be changed while frames or other texts of it are
    /// borrowed.
    pub fn as_ptr(&self) -> *mut sys::toll_profile {
        self.0.as_ptr()
    }

    /// An empty profile.
    pub fn new() -> Result<Profile> {
        made(|out, err| unsafe { sys::toll_profile_create(null(), out, err) }).map(Profile)
    }

    /// Add a column, while there are no threads.
    pub fn add_column(&mut self, name: &str, unit: &str) -> Result<ColumnId> {
        let (name, unit) = (to_c(name)?, to_c(unit)?);
        id_of(|out, err| unsafe {
            sys::toll_profile_add_column(self.as_ptr(), name.as_ptr(), unit.as_ptr(), out, err)
        })
        .map(ColumnId)
    }

    /// Register a frame, or find it.
    pub fn add_frame(&mut self, frame: &Frame) -> Result<FrameId> {
        let raw = self.as_ptr();
        frame
            .with_c(|frame| {
                id_of(|out, err| unsafe { sys::toll_profile_add_frame(raw, frame, out, err) })
            })
            .map(FrameId)
    }

    /// Register a thread by its name and labels, or find it. Keys may come again with other values.
    pub fn add_thread(&mut self, name: &str, labels: &[(&str, &str)]) -> Result<ThreadId> {
        let name = to_c(name)?;
        let texts: Vec<(CString, CString)> =
            labels.iter().map(|(k, v)| Ok((to_c(*k)?, to_c(*v)?))).collect::<Result<_>>()?;
        let label = |(key, value): &(CString, CString)| sys::toll_thread_label {
            key: key.as_ptr(),
            value: value.as_ptr(),
        };
        let labels: Vec<_> = texts.iter().map(label).collect();
        id_of(|out, err| unsafe {
            sys::toll_profile_add_labelled_thread(
                self.as_ptr(),
                name.as_ptr(),
                labels.as_ptr(),
                labels.len() as u32,
                out,
                err,
            )
        })
        .map(ThreadId)
    }

    /// Find or make the child of a node for a frame.
    pub fn add_child(&mut self, parent: NodeId, frame: FrameId) -> Result<NodeId> {
        id_of(|out, err| unsafe {
            sys::toll_profile_add_child(self.as_ptr(), parent.0, frame.0, out, err)
        })
        .map(NodeId)
    }

    /// Add to the self value of a node.
    pub fn add_self(&mut self, node: NodeId, column: ColumnId, value: i64) -> Result<()> {
        check(|err| unsafe {
            sys::toll_profile_add_self(self.as_ptr(), node.0, column.0, value, err)
        })
    }

    // --- what else is known of the run ----------------------------------------------------------

    /// The column that is shown unless the user asks for another one.
    pub fn default_column(&self) -> Option<Column<'_>> {
        self.column_of(unsafe { sys::toll_profile_default_column(self.as_ptr()) })
    }

    /// Choose the default column.
    pub fn set_default_column(&mut self, column: ColumnId) {
        unsafe { sys::toll_profile_set_default_column(self.as_ptr(), column.0) }
    }

    /// Count something that was dropped, clamped, folded or guessed.
    pub fn add_note(&mut self, text: &str, count: u64) -> Result<()> {
        let text = to_c(text)?;
        check(|err| unsafe { sys::toll_profile_add_note(self.as_ptr(), text.as_ptr(), count, err) })
    }

    /// What was dropped, clamped, folded or guessed, in words, and how often.
    pub fn notes(&self) -> impl Iterator<Item = (&str, u64)> {
        let count = unsafe { sys::toll_profile_note_count(self.as_ptr()) };
        (0..count).map(|i| {
            let mut times = 0;
            let text = unsafe { from_c(sys::toll_profile_note(self.as_ptr(), i, &mut times)) };
            (text, times)
        })
    }

    /// Add a comment, a line of text.
    pub fn add_comment(&mut self, text: &str) -> Result<()> {
        let text = to_c(text)?;
        check(|err| unsafe { sys::toll_profile_add_comment(self.as_ptr(), text.as_ptr(), err) })
    }

    /// The comments.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        let count = unsafe { sys::toll_profile_comment_count(self.as_ptr()) };
        (0..count).map(|i| unsafe { from_c(sys::toll_profile_comment(self.as_ptr(), i)) })
    }

    /// Say when the run began, and how long it took.
    pub fn set_time(&mut self, start: SystemTime, duration: Duration) {
        let start = start.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let ns = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        unsafe { sys::toll_profile_set_time(self.as_ptr(), ns(start), ns(duration)) }
    }

    /// When the run began, if that is known.
    pub fn start(&self) -> Option<SystemTime> {
        let ns = unsafe { sys::toll_profile_start_ns(self.as_ptr()) };
        let since = u64::try_from(ns).ok().filter(|ns| *ns > 0)?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_nanos(since))
    }

    /// How long the run took, if that is known.
    pub fn duration(&self) -> Option<Duration> {
        let ns = unsafe { sys::toll_profile_duration_ns(self.as_ptr()) };
        u64::try_from(ns).ok().filter(|ns| *ns > 0).map(Duration::from_nanos)
    }
}
