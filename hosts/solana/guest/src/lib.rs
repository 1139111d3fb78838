//! Name sections of a Solana program, to be told what each consumed in compute units and heap.
//!
//! ```
//! # fn swap() -> u64 { 7 }
//! toll_guest::start("checks");
//! toll_guest::end("checks");
//! {
//!     let _section = toll_guest::section("transfer"); // ends with the block
//! }
//! let amount = toll_guest::measured!("swap", swap());
//! # assert_eq!(amount, 7);
//! ```
//!
//! The runtime must know the two syscalls: crate `toll-svm` gives them to Mollusk and LiteSVM. They
//! cost no compute units; passing the arguments takes a few instructions. On other targets than
//! Solana's all of this does nothing, so that unit tests run as ever. Without the feature of your
//! own that turns these calls on, leave them out of what you deploy: clusters do not know them.

#![no_std]
#![warn(missing_docs)]

#[cfg(any(target_os = "solana", target_arch = "bpf", target_arch = "sbf"))]
mod syscalls {
    use solana_define_syscall::define_syscall;

    define_syscall!(fn sol_log_compute_units_start(id: *const u8, id_size: u64, heap_value: u64, tracks_heap: u64));
    define_syscall!(fn sol_log_compute_units_end(id: *const u8, id_size: u64, heap_value: u64, tracks_heap: u64));
}

#[cfg(not(any(target_os = "solana", target_arch = "bpf", target_arch = "sbf")))]
mod syscalls {
    pub unsafe fn sol_log_compute_units_start(_: *const u8, _: u64, _: u64, _: u64) {}
    pub unsafe fn sol_log_compute_units_end(_: *const u8, _: u64, _: u64, _: u64) {}
}

/// Start a section. Ids are at most 4096 bytes long.
#[inline(always)]
pub fn start(id: &str) {
    // SAFETY: the id is the program's to read.
    unsafe { syscalls::sol_log_compute_units_start(id.as_ptr(), id.len() as u64, 0, 0) }
}

/// End the section of that id which was started last.
#[inline(always)]
pub fn end(id: &str) {
    // SAFETY: as above.
    unsafe { syscalls::sol_log_compute_units_end(id.as_ptr(), id.len() as u64, 0, 0) }
}

/// The fourth argument that says that the third counts though it is 0: "tollheap", which no register
/// holds by accident.
const TRACKS_HEAP: u64 = 0x706165686c6c6f74;

/// The same with how many bytes of heap the program uses: what the section took is told where both
/// its start and its end tell it.
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

/// Start a section that ends with the block that keeps the result.
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

/// The value of an expression that is a section of its own: `measured!("swap", swap(a, b)?)`. It ends
/// also where the expression leaves the function.
#[macro_export]
macro_rules! measured {
    ($id:expr, $body:expr) => {{
        let _section = $crate::section($id);
        $body
    }};
}
