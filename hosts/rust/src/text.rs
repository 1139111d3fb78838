//! Texts and paths, from Rust to C and back.

use {
    crate::{Error, Result, Status},
    std::{
        ffi::{c_char, CStr, CString},
        path::Path,
        ptr::null,
    },
};

pub(crate) fn to_c(text: impl Into<Vec<u8>>) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(Status::Argument, "a text with a NUL in it"))
}

/// A text that may be absent, which is NULL in C.
pub(crate) struct Optional(Option<CString>);

impl Optional {
    pub(crate) fn of(text: Option<&str>) -> Result<Optional> {
        Ok(Optional(text.map(to_c).transpose()?))
    }

    /// Valid as long as this is.
    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.0.as_ref().map_or(null(), |text| text.as_ptr())
    }
}

/// A path as libtoll takes it: the system's bytes, on Windows UTF-8.
pub(crate) fn path(path: &Path) -> Result<CString> {
    #[cfg(unix)]
    return to_c(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    return path.to_str().map(to_c).unwrap_or_else(|| {
        Err(Error::new(Status::Argument, format!("{}: not a name in Unicode", path.display())))
    });
}

/// A text of libtoll's, which is valid UTF-8.
///
/// # Safety
/// It is NULL, or ends with a NUL and lives as long as `'a`.
pub(crate) unsafe fn from_c<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    CStr::from_ptr(text).to_str().unwrap_or_default()
}
