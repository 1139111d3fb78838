//! Names sections of a Solana program, so that Toll measures their compute units and heap.
//!
//! ```
//! # fn swap() -> u64 { 7 }
//! toll::start("checks");
//! toll::end("checks");
//! {
//!     let _section = toll::section("transfer"); // ends with the block
//! }
//! let amount = toll::measured!("swap", swap());
//! # assert_eq!(amount, 7);
//!
//! #[toll::profile] // each call is a section "fees"
//! fn fees(amount: Option<u64>) -> Option<u64> {
//!     Some(amount? / 100)
//! }
//! # assert_eq!(fees(Some(700)), Some(7));
//! ```
//!
//! The package is `toll-guest`, and the crate in it is `toll`: write `toll-guest = "0.1"` in
//! Cargo.toml, and `toll::` in the program.
//!
//! The runtime must have the two syscalls: crate `toll-svm` adds them to Mollusk and LiteSVM. They
//! cost no compute units; passing the arguments takes a few instructions. On targets other than
//! Solana's the functions do nothing, so that unit tests run without change. Clusters do not have
//! the syscalls: put the calls behind a feature of your crate, and switch it off for what you
//! deploy.

#![cfg_attr(not(test), no_std)]
#![warn(missing_docs)]

#[cfg(test)]
extern crate self as toll;
#[cfg(test)]
mod tests;

pub use toll_guest_macros::profile;

#[cfg(any(target_os = "solana", target_arch = "bpf", target_arch = "sbf"))]
mod syscalls {
    use solana_define_syscall::define_syscall;

    define_syscall!(fn sol_log_compute_units_start(id: *const u8, id_size: u64, heap_value: u64, tracks_heap: u64));
    define_syscall!(fn sol_log_compute_units_end(id: *const u8, id_size: u64, heap_value: u64, tracks_heap: u64));
}

#[cfg(test)]
use tests::syscalls;

#[cfg(not(any(test, target_os = "solana", target_arch = "bpf", target_arch = "sbf")))]
mod syscalls {
    pub unsafe fn sol_log_compute_units_start(_: *const u8, _: u64, _: u64, _: u64) {}
    pub unsafe fn sol_log_compute_units_end(_: *const u8, _: u64, _: u64, _: u64) {}
}

/// Start a section. Ids are at most 4096 bytes long.
#[inline(always)]
pub fn start(id: &str) {
    // SAFETY: the id is memory of the program.
    unsafe { syscalls::sol_log_compute_units_start(id.as_ptr(), id.len() as u64, 0, 0) }
}

/// End the section that was started last with this id.
#[inline(always)]
pub fn end(id: &str) {
    // SAFETY: as above.
    unsafe { syscalls::sol_log_compute_units_end(id.as_ptr(), id.len() as u64, 0, 0) }
}

/// The fourth argument, which makes the third one valid even if it is 0: "tollheap", a value that
/// no register contains by accident.
const TRACKS_HEAP: u64 = 0x706165686c6c6f74;

/// Start a section, and pass the bytes of heap that the program uses now. A section's heap is
/// measured if both its start and its end pass such a value.
#[inline(always)]
pub fn start_with_heap(id: &str, heap: u64) {
    // SAFETY: as above.
    unsafe {
        syscalls::sol_log_compute_units_start(id.as_ptr(), id.len() as u64, heap, TRACKS_HEAP)
    }
}

/// See [`start_with_heap`].
#[inline(always)]
pub fn end_with_heap(id: &str, heap: u64) {
    // SAFETY: as above.
    unsafe { syscalls::sol_log_compute_units_end(id.as_ptr(), id.len() as u64, heap, TRACKS_HEAP) }
}

/// A section that ends when this is dropped.
#[must_use = "the section ends when this is dropped"]
pub struct Section<'a>(&'a str);

/// Start a section that ends with the block that owns the result.
#[inline(always)]
pub fn section(id: &str) -> Section<'_> {
    start(id);
    Section(id)
}

impl Drop for Section<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        end(self.0);
    }
}

/// Evaluates an expression as a section: `measured!("swap", swap(a, b)?)`. The section also ends if
/// the expression returns from the function.
#[macro_export]
macro_rules! measured {
    ($id:expr, $body:expr) => {{
        let _section = $crate::section($id);
        $body
    }};
}
