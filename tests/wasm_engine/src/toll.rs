//! The functions of libtoll that these tests call.

use std::ffi::{c_char, c_int, c_void, CStr};

extern "C" {
    fn shim_instrument(
        data: *const c_void,
        size: usize,
        table: *const c_char,
        skip: *const c_char,
        lines: c_int,
        result: *mut *mut c_void,
        result_size: *mut usize,
    ) -> c_int;
    fn free(block: *mut c_void);
}

pub const INSTRUCTIONS: &CStr = c"instructions";
pub const FUEL: &CStr = c"fuel";

/// The module, instrumented under a table of costs, without following functions whose names match
/// `skip`, and with a counter of executions for each stretch if `lines`; or why not.
pub fn instrument(
    module: &[u8],
    table: &CStr,
    skip: Option<&CStr>,
    lines: bool,
) -> Result<Vec<u8>, String> {
    let (table, skip) = (table.as_ptr(), skip.map_or(std::ptr::null(), CStr::as_ptr));
    let mut result = std::ptr::null_mut();
    let mut size = 0;
    // The shim reads the module and leaves `size` bytes in a block that is ours.
    let (status, bytes) = unsafe {
        let data = module.as_ptr().cast();
        let status = shim_instrument(
            data,
            module.len(),
            table,
            skip,
            lines as c_int,
            &mut result,
            &mut size,
        );
        if result.is_null() {
            return Err("no memory".into());
        }
        let bytes = std::slice::from_raw_parts(result.cast::<u8>(), size).to_vec();
        free(result);
        (status, bytes)
    };
    match status {
        0 => Ok(bytes),
        _ => Err(String::from_utf8_lossy(&bytes).into_owned()),
    }
}
