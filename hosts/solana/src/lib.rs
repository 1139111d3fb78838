//! Records what tests of Solana programs cost, in compute units and heap, inside the real runtime:
//! [Mollusk](https://docs.rs/mollusk-svm) and [LiteSVM](https://docs.rs/litesvm).
//!
//! ```no_run
//! let mut svm = litesvm::LiteSVM::new();
//! toll_svm::record(&mut svm);
//! let mut mollusk = mollusk_svm::Mollusk::default();
//! toll_svm::mollusk(&mut mollusk);
//! ```
//!
//! `TOLL_OUT=cu.pb.gz cargo test` then writes a profile of everything that ran: transactions'
//! invocations, each with its functions, system calls and the invocations that these make, to the
//! unit that the runtime's meter says; for `toll report`, `go tool pprof`, speedscope. The test
//! programs of one `cargo test` are added up. (With `%p` in the name, each writes a file of its
//! own.) The name determines the format, any that `toll convert` can write: `cu.speedscope.json`,
//! `cu.folded`. `TOLL_LABELS=commit=3f2a,host=a` adds labels ([`label`]). `TOLL_BY=test` labels the
//! cost of each test with `test`, `TOLL_BY=transaction` that of each transaction with its signature
//! (of a Mollusk: with a number). `TOLL_LINES=1` records the cost of each place, for `toll annotate`.
//!
//! Functions have names if the program was built in this project: the unstripped file in `target`
//! has them.
//!
//! **Sections.** A program names parts of it with `toll::start("swap")` and `end("swap")`, or in C
//! with `toll_guest.h`. What they cost is in the profile; in the transaction's log, before the line
//! that ends an invocation; and in [`take`]. `TOLL_LOG=1` prints it, too. A program with sections
//! that is added before their syscalls are registered fails to load, with the runtime's error
//! `unsupported BPF instruction`: make the machine with [`litesvm`], or pass `Mollusk::default()` to
//! [`mollusk`], since [`mollusk_svm::Mollusk::new`] adds a program at once.
//!
//! What all of this means is defined in Toll's docs/semantics.md.

#![warn(missing_docs)]
// Without a machine nothing is recorded.
#![cfg_attr(not(any(feature = "mollusk", feature = "litesvm")), allow(dead_code))]

mod events;
mod labels;
#[cfg(feature = "litesvm")]
mod lite;
mod live;
mod log;
#[cfg(feature = "mollusk")]
mod moll;
mod programs;
mod record;
mod recorded;
mod run;
mod wrap;

use std::{
    cell::RefCell,
    collections::VecDeque,
    fmt,
    path::Path,
    sync::atomic::{AtomicU8, Ordering},
};

#[cfg(feature = "litesvm")]
pub use lite::{litesvm, litesvm_with, record};
#[cfg(feature = "mollusk")]
pub use moll::mollusk;

/// The longest id of a section, in bytes.
pub const ID_LIMIT: u64 = 4096;

const START: &str = "sol_log_compute_units_start";
const END: &str = "sol_log_compute_units_end";

/// The change of the program's heap in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    /// The value at the end minus the value at the start.
    pub total: i64,
    /// The total minus the totals of the outermost sections inside.
    pub net: i64,
    /// The value at the end.
    pub remaining: u64,
}

/// One section that has ended, or was never ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The id, as the program has passed it.
    pub id: Vec<u8>,
    /// Compute units between start and end; for a section that was not ended, up to the end of its
    /// invocation.
    pub total: u64,
    /// The total without the sections inside; 0 for a section that was not ended.
    pub net: u64,
    /// The heap, if both start and end passed a value.
    pub heap: Option<Heap>,
}

/// One program invoked, by a transaction or by another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Its address.
    pub program: String,
    /// 1 is an instruction of the transaction.
    pub depth: usize,
    /// Whether it has returned an error, or the virtual machine has stopped it.
    pub failed: bool,
    /// All compute units that it was charged, with those of the invocations inside it.
    pub consumed: u64,
    /// The sections that have ended, in the order of their ends.
    pub sections: Vec<Section>,
    /// The sections that were not ended, in the order of their starts.
    pub left_open: Vec<Section>,
    /// The same as lines of text: `CU log: 1 swap consumed 1234 CU (net 1000 CU)`.
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

/// The largest number of invocations that are kept for [`take`].
pub const KEPT: usize = 4096;

/// The invocations that have ended on this thread since the last call, in order; if there are more
/// than [`KEPT`], only the last ones.
pub fn take() -> Vec<Invocation> {
    ENDED.take().into()
}

/// Write the profile of everything that has run in this process so far, in the format of the path's
/// name: `.pb.gz`, `.speedscope.json`, `.folded`, ... The file is replaced whole or not at all.
pub fn write(path: impl AsRef<Path>) -> Result<(), tollprof::Error> {
    recorded::lock().write(path.as_ref(), None)
}

/// Set labels for everything that is written from now on, also at the end of the process:
/// `commit=3f2a,host=a`, or one on each line. They replace labels of the same keys that were set
/// before, or that the environment variable `TOLL_LABELS` has. A wrong list is an error, and
/// changes nothing.
pub fn label(labels: &str) -> Result<(), tollprof::Error> {
    tollprof::check_labels(labels)?;
    recorded::lock().label(labels.to_string());
    Ok(())
}

/// Whether functions, system calls and lines are recorded, in machines that are made from now on,
/// and in programs that they run for the first time. Otherwise there are invocations and sections.
/// The default is `true` if the environment variable `TOLL_OUT` is set; `TOLL_FUNCTIONS=0` or `1`
/// says otherwise.
pub fn record_functions(yes: bool) {
    FUNCTIONS.store(1 + yes as u8, Ordering::Relaxed);
}

static FUNCTIONS: AtomicU8 = AtomicU8::new(0); // 0: as the environment says

fn records_functions() -> bool {
    match FUNCTIONS.load(Ordering::Relaxed) {
        0 => {
            let yes = match std::env::var_os("TOLL_FUNCTIONS") {
                Some(value) => value != "0",
                None => std::env::var_os("TOLL_OUT").is_some_and(|name| !name.is_empty()),
            };
            record_functions(yes);
            yes
        }
        value => value == 2,
    }
}

/// These invocations have ended, with their transaction.
fn ended(invocations: Vec<Invocation>) {
    if std::env::var_os("TOLL_LOG").is_some() {
        invocations.iter().for_each(|invocation| eprint!("{invocation}"));
    }
    ENDED.with_borrow_mut(|all| {
        all.extend(invocations);
        all.drain(..all.len().saturating_sub(KEPT));
    });
}
