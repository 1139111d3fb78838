//! A profile, as libtoll has it.

use {
    crate::ffi,
    std::{
        ffi::{c_int, c_void, CStr, CString},
        path::Path,
        ptr::{null, null_mut},
    },
};

pub(crate) fn new_error() -> ffi::Error {
    ffi::Error { status: 0, text: [0; 512] }
}

pub(crate) fn message(err: &ffi::Error) -> String {
    // SAFETY: libtoll ends the text with a NUL.
    unsafe { CStr::from_ptr(err.text.as_ptr()) }.to_string_lossy().into_owned()
}

pub(crate) fn result(status: c_int, err: &ffi::Error) -> Result<(), String> {
    if status == ffi::OK {
        Ok(())
    } else {
        Err(message(err))
    }
}

pub(crate) struct Profile(*mut c_void);

// SAFETY: libtoll has no state of a thread's own.
unsafe impl Send for Profile {}

impl Drop for Profile {
    fn drop(&mut self) {
        // SAFETY: no other code has it.
        unsafe { ffi::toll_profile_free(self.0) }
    }
}

impl Profile {
    /// # Safety
    /// `recorder` is one of libtoll's.
    pub(crate) unsafe fn of(recorder: *const c_void) -> Result<Profile, String> {
        let (mut profile, mut err) = (null_mut(), new_error());
        result(ffi::toll_recorder_snapshot(recorder, null(), &mut profile, &mut err), &err)?;
        Ok(Profile(profile))
    }

    /// Add another one.
    pub(crate) fn add(&mut self, other: &Profile) -> Result<(), String> {
        let mut err = new_error();
        // SAFETY: both live as long as the call.
        result(unsafe { ffi::toll_profile_merge(self.0, other.0, &mut err) }, &err)
    }

    /// A copy with these labels, which replace those of the same keys.
    pub(crate) fn labelled(&self, labels: &CStr) -> Result<Profile, String> {
        let (mut profile, mut err) = (null_mut(), new_error());
        // SAFETY: the arguments live as long as the call.
        let status = unsafe {
            ffi::toll_profile_with_labels(self.0, labels.as_ptr(), &mut profile, &mut err)
        };
        result(status, &err)?;
        Ok(Profile(profile))
    }

    /// Write it in the format of the path's name.
    pub(crate) fn save(&self, path: &Path) -> Result<(), String> {
        let path = CString::new(path.to_string_lossy().as_bytes())
            .map_err(|_| "a path with a NUL in it".to_string())?;
        let mut err = new_error();
        // SAFETY: the arguments live as long as the call.
        let status = unsafe { ffi::toll_profile_save(self.0, path.as_ptr(), &mut err) };
        result(status, &err)
    }
}
