//! What libtoll writes, in memory.

use {
    crate::error::{check, made, Result},
    std::ptr::{null, NonNull},
    toll_sys as sys,
};

struct Output(NonNull<sys::toll_output>);

impl Drop for Output {
    fn drop(&mut self) {
        // SAFETY: no other code has it.
        unsafe { sys::toll_output_free(self.0.as_ptr()) }
    }
}

/// The bytes that a function of libtoll writes to its output.
pub(crate) fn to_memory(
    gzip: bool,
    write: impl FnOnce(*mut sys::toll_output, *mut sys::toll_error) -> sys::toll_status,
) -> Result<Vec<u8>> {
    // SAFETY: the arguments live as long as the call.
    let output =
        made(|out, err| unsafe { sys::toll_output_to_memory(null(), gzip.into(), out, err) });
    let output = Output(output?);
    check(|err| write(output.0.as_ptr(), err))?;
    // SAFETY: the output is there until the end of this function.
    check(|err| unsafe { sys::toll_output_commit(output.0.as_ptr(), err) })?;
    let mut size = 0;
    // SAFETY: as above; the data is of that size, or NULL, and is copied.
    Ok(unsafe {
        let data = sys::toll_output_data(output.0.as_ptr(), &mut size);
        if data.is_null() {
            Vec::new()
        } else {
            std::slice::from_raw_parts(data.cast::<u8>(), size).to_vec()
        }
    })
}
