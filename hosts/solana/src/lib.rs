//! Named sections and whole transactions of Solana programs, in compute units and heap, exactly, on
//! the real runtime: [Mollusk](https://docs.rs/mollusk-svm) and [LiteSVM](https://docs.rs/litesvm).
//!
//! ```no_run
//! let mut mollusk = mollusk_svm::Mollusk::default();
//! toll_svm::mollusk(&mut mollusk); // before the programs
//! // mollusk.add_program(...); mollusk.process_instruction(...);
//! for invocation in toll_svm::take() {
//!     print!("{invocation}");
//! }
//! ```
//!
//! The program names its sections with `toll::start("swap")` and `end("swap")`, or in C with
//! `toll_guest.h`. `TOLL_OUT=cu-%p.pb.gz cargo test` leaves a profile of all transactions of each
//! test program (`%p` is its process's id; `toll merge` adds them up): a flame graph of programs and sections for `go tool pprof`, speedscope (any name that
//! `toll convert` can write will do: `cu.speedscope.json`, `cu.folded`) and `toll report`.
//! `TOLL_LABELS=commit=3f2a,host=a` says what it belongs to ([`label`]); `TOLL_BY=test` gives what each test
//! spent the label `test`, `TOLL_BY=transaction` each transaction of LiteSVM its signature.
//! What sections consumed is in the transaction's log, before the line with which an invocation ends; `TOLL_LOG=1` prints
//! it, too.
//!
//! A program that is added before the syscalls are registered fails to load; the runtime's error is
//! `unsupported BPF instruction`. [`mollusk_svm::Mollusk::new`] adds a program at once, so begin with
//! `Mollusk::default()`.
//!
//! What sections mean is defined in Toll's docs/semantics.md.

#![warn(missing_docs)]

mod events;
#[rustfmt::skip] // as scripts/bindings writes it
mod ffi;
mod labels;
#[cfg(feature = "litesvm")]
mod lite;
mod log;
#[cfg(feature = "mollusk")]
mod moll;
mod profile;
mod record;
mod recorded;

use libz_sys as _; // which libtoll's gzip is linked with
use {
    record::Replayed,
    solana_svm_log_collector::LogCollector,
    std::{cell::RefCell, collections::VecDeque, fmt, path::Path},
};

#[cfg(feature = "litesvm")]
pub use lite::{litesvm, litesvm_with};
#[cfg(feature = "mollusk")]
pub use moll::mollusk;

/// The longest id of a section, in bytes.
pub const ID_LIMIT: u64 = 4096;

const START: &str = "sol_log_compute_units_start";
const END: &str = "sol_log_compute_units_end";

/// What a section did to the program's heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    /// The value at the end less the one at the start.
    pub total: i64,
    /// The total less that of the outermost sections inside.
    pub net: i64,
    /// The value at the end.
    pub remaining: u64,
}

/// One section that ended, or was never ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// As the program gave it.
    pub id: Vec<u8>,
    /// Compute units between start and end; of one that was not ended, up to the end of its
    /// invocation.
    pub total: u64,
    /// The total less that of the sections inside; 0 of a section that was not ended.
    pub net: u64,
    /// Where both start and end gave a heap value.
    pub heap: Option<Heap>,
}

/// One program invoked, by a transaction or by another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Its address.
    pub program: String,
    /// 1 is an instruction of the transaction.
    pub depth: usize,
    /// It returned an error, or the virtual machine stopped it.
    pub failed: bool,
    /// The log was truncated before its end; sections after that are missing.
    pub truncated: bool,
    /// Compute units in all. None: they are not in the log (built-in programs that another one
    /// invokes, whose units are included in that one's; truncated logs).
    pub consumed: Option<u64>,
    /// In the order in which they ended.
    pub sections: Vec<Section>,
    /// In the order in which they began.
    pub left_open: Vec<Section>,
    /// The same as lines: `CU log:  1 swap consumed   1234 CU (net   1000 CU)`.
    pub log: Vec<String>,
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for line in &self.log {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

thread_local! {
    static ENDED: RefCell<VecDeque<Invocation>> = const { RefCell::new(VecDeque::new()) };
}

/// The number of invocations that are kept for [`take`].
pub const KEPT: usize = 4096;

/// The invocations that have ended on this thread since the last call, in that order; if there are
/// more than [`KEPT`], the last of them.
pub fn take() -> Vec<Invocation> {
    ENDED.take().into()
}

/// Write the profile of everything so far that ran in this process, in the format of the path's
/// name: `.pb.gz`, `.speedscope.json`, `.folded`, ... The file is replaced as a whole or not at all.
pub fn write(path: impl AsRef<Path>) -> Result<(), String> {
    recorded::lock().write(path.as_ref())
}

/// Labels of what is written from now on, at the end of the process, too: `commit=3f2a,host=a`, or one a line.
/// They take the place of those of the same keys that were given before, or that the environment's variable
/// `TOLL_LABELS` has. What is no such list is an error, and changes nothing.
pub fn label(labels: &str) -> Result<(), String> {
    recorded::lock().label(labels::checked(labels)?);
    Ok(())
}

/// A transaction, or an instruction without one, has ended: its log, which begins at a line of the
/// collector's, the units that remain, and its signature.
fn ended(
    log: &RefCell<LogCollector>,
    start: usize,
    remaining: u64,
    transaction: Option<&dyn fmt::Display>,
) {
    let (events, at_start) = events::take();
    let mut recorded = recorded::lock();
    let recorder = recorded.recorder_of(transaction);
    let log = &mut *log.borrow_mut();
    let Replayed { invocations, ends } =
        recorder.replay(&log.messages[start..], &events, at_start, remaining);
    if std::env::var_os("TOLL_LOG").is_some() {
        invocations.iter().for_each(|invocation| eprint!("{invocation}"));
    }
    let lines = invocations.iter().zip(ends).map(|(one, end)| (start + end, &one.log[..]));
    recorder.note_lines_without_room(log::insert(log, &lines.collect::<Vec<_>>()));
    drop(recorded);
    ENDED.with_borrow_mut(|all| {
        all.extend(invocations);
        all.drain(..all.len().saturating_sub(KEPT));
    });
}
