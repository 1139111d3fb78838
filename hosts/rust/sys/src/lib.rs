//! libtoll, compiled from its C sources, and raw declarations of all that its headers have: the
//! recorder, profiles, reports and formats of Toll. The crate
//! [tollprof](https://docs.rs/tollprof) is the safe interface to it.
//!
//! Names are those of C, and the manual of each is the comment in its header, in `c/include/toll/`
//! of this crate. A struct of options begins with its size, which `default()` sets, with all other
//! fields 0:
//!
//! ```
//! use toll_sys::*;
//!
//! let options = toll_recorder_options::default();
//! let mut recorder = std::ptr::null_mut();
//! // SAFETY: the pointers live as long as the call; a NULL recorder may be freed, too.
//! unsafe {
//!     let status = toll_recorder_create(&options, &mut recorder, std::ptr::null_mut());
//!     assert_eq!(status, TOLL_OK);
//!     toll_recorder_free(recorder);
//! }
//! ```
//!
//! Threads: any number may call functions at once, as long as no two of them use the same object.

#![allow(non_camel_case_types)]

#[rustfmt::skip] // as scripts/bindings writes it
mod declarations;

pub use declarations::*;
use libz_sys as _; // libtoll's gzip is linked with it

/// Gives structs of options the default values that TOLL_..._INIT has in C.
macro_rules! sized {
    ($($name:ident,)*) => {$(
        impl Default for $name {
            /// Sets the size, and all other fields to 0.
            fn default() -> Self {
                // SAFETY: its fields are numbers, pointers and optional functions, which may be 0.
                let mut options: Self = unsafe { std::mem::zeroed() };
                options.size = std::mem::size_of::<Self>();
                options
            }
        }
    )*};
}
pub(crate) use sized;
