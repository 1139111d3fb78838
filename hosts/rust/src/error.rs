//! How functions fail: with a status, and a message that says what is wrong, where, and what to do.

use {
    std::{ffi::CStr, fmt, ptr::NonNull},
    toll_sys as sys,
};

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The allocator refused.
    NoMemory,
    /// A limit was reached: the size of a table, a depth.
    Limit,
    /// A sum does not fit 64 bits.
    Overflow,
    /// The caller broke the rules of the function.
    Argument,
    /// Not now: the object is stopped, or not yet started.
    State,
    /// There is no such column, thread, frame, ...
    NotFound,
    /// The operating system refused: open, read, write, rename.
    Io,
    /// There is no format of that name, or none recognises the content.
    UnknownFormat,
    /// The format cannot do that.
    Unsupported,
    /// The input breaks the rules of its format.
    Syntax,
    /// The input ends too early.
    Truncated,
    /// A profile breaks its own invariants.
    Invariant,
    /// One that this crate does not know.
    Other,
}

impl Status {
    fn of(status: sys::toll_status) -> Status {
        match status {
            sys::TOLL_E_NOMEM => Status::NoMemory,
            sys::TOLL_E_LIMIT => Status::Limit,
            sys::TOLL_E_OVERFLOW => Status::Overflow,
            sys::TOLL_E_ARGUMENT => Status::Argument,
            sys::TOLL_E_STATE => Status::State,
            sys::TOLL_E_NOT_FOUND => Status::NotFound,
            sys::TOLL_E_IO => Status::Io,
            sys::TOLL_E_UNKNOWN_FORMAT => Status::UnknownFormat,
            sys::TOLL_E_UNSUPPORTED => Status::Unsupported,
            sys::TOLL_E_SYNTAX => Status::Syntax,
            sys::TOLL_E_TRUNCATED => Status::Truncated,
            sys::TOLL_E_INVARIANT => Status::Invariant,
            _ => Status::Other,
        }
    }
}

/// A failure. Its text is one line: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    text: String,
}

/// The result of functions that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(status: Status, text: impl Into<String>) -> Error {
        Error { status, text: text.into() }
    }

    /// What kind of failure it was.
    pub fn status(&self) -> Status {
        self.status
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// Call a function of the crate toll-sys that this crate does not have, and turn its status and
/// message into a result.
pub fn check(call: impl FnOnce(*mut sys::toll_error) -> sys::toll_status) -> Result<()> {
    let mut err = sys::toll_error { status: 0, text: [0; sys::TOLL_ERROR_SIZE as usize] };
    let status = call(&mut err);
    if status == sys::TOLL_OK {
        return Ok(());
    }
    // SAFETY: libtoll ends the text with a NUL; so does the text that was set above.
    let text = unsafe { CStr::from_ptr(err.text.as_ptr()) };
    Err(Error::new(Status::of(status), text.to_string_lossy()))
}

/// The same for a function that makes an object.
pub(crate) fn made<T>(
    call: impl FnOnce(*mut *mut T, *mut sys::toll_error) -> sys::toll_status,
) -> Result<NonNull<T>> {
    let mut object = std::ptr::null_mut();
    check(|err| call(&mut object, err))?;
    NonNull::new(object).ok_or_else(|| Error::new(Status::Other, "libtoll made no object"))
}

/// The same for a function that makes an id.
pub(crate) fn id_of(
    call: impl FnOnce(*mut u32, *mut sys::toll_error) -> sys::toll_status,
) -> Result<u32> {
    let mut id = sys::TOLL_NONE;
    check(|err| call(&mut id, err))?;
    Ok(id)
}
