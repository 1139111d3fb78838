//! Profiles WebAssembly guests of [wasmtime]: every call and, with each, the instructions executed; on
//! request time, heap and counts of lines. Exactly, not by samples.
//!
//! ```no_run
//! use toll_wasmtime::{Options, Recorder};
//! use wasmtime::{Engine, Linker, Store};
//!
//! # fn main() -> wasmtime::Result<()> {
//! let engine = Engine::default();
//! let (mut store, linker) = (Store::new(&engine, ()), Linker::new(&engine));
//! let r = Recorder::new(&engine, &std::fs::read("guest.wasm")?, Options::default())?;
//! let instance = r.instantiate(&mut store, &linker)?; // was: linker.instantiate(&mut store, &module)
//! instance.get_typed_func::<i32, i32>(&mut store, "run")?.call(&mut store, 10)?;
//! r.profile(&mut store, "guest.pb.gz")?; // go tool pprof, speedscope, toll report, ...
//! # Ok(())
//! # }
//! ```
//!
//! The guest is instrumented by `toll.wasm`, the library as a WebAssembly module, which is part of this
//! crate. Each instance of the guest gets an instance of `toll.wasm` beside it, in the same store, and
//! calls it directly for each event: no event calls the host, but for the time.
//!
//! In an asynchronous store use `instantiate_async`, `call_async`, `profile_async` and so on. Each store has
//! its own stacks, so any number of guests may be suspended at a time. Time passes for a guest while the
//! future of its call is polled. The functions of a call whose future is dropped end there.

#![warn(missing_docs)]

mod calls;
mod clock;
mod embedder;
mod instance;
mod library;
mod open_call;
mod output;
mod recorder;
mod recording;
mod state;
mod sum;

pub use instance::{Func, Instance, TypedFunc};
pub use recorder::Recorder;
pub use wasmtime;

use std::{fmt, sync::Arc};

/// What is recorded, and how. The default is calls and ticks: each instruction that the guest executes
/// is one.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the module's file, for profiles and messages.
    pub name: String,
    /// Time, too: the clock is called by each event.
    pub clock: Clock,
    /// Bytes allocated and in use, by stack, where functions allocate that are known by name.
    pub heap: bool,
    /// Every call in the order of the run, too, in memory: see [`Recorder::timeline`].
    pub timeline: bool,
    /// How often each line runs, and its ticks, if the module has DWARF; else each basic block, of which
    /// `toll convert --debug` makes lines.
    pub lines: bool,
    /// That, and callees are below the line that calls them.
    pub call_lines: bool,
    /// With `lines`, frames for inlined functions.
    pub inlines: bool,
    /// With `lines`, basic blocks in any case.
    pub no_debug: bool,
    /// Do not count instructions.
    pub no_ticks: bool,
    /// Do not follow calls: with `lines`, executions are all that is recorded.
    pub no_calls: bool,
    /// A regular expression (docs/semantics.md, "Patterns"): which functions are followed; the others are charged to
    /// their callers.
    pub only: String,
    /// Those that are not followed.
    pub skip: String,
    /// What an instruction costs: `fuel`, or lines `INSTRUCTION COST`. Each costs 1 without it.
    pub costs: String,
    /// Labels of the profiles, `commit=3f2a,host=a`, in place of those of the same keys that the
    /// environment's variable `TOLL_LABELS` has.
    pub labels: String,
    /// Deeper calls are charged to their ancestor at this depth; 0: all are followed.
    pub depth: u32,
}

/// Where the time comes from.
#[derive(Clone, Default)]
pub enum Clock {
    /// None is recorded.
    #[default]
    None,
    /// [`std::time::Instant`].
    Monotonic,
    /// A function that returns nanoseconds, never less than before.
    Function(Arc<dyn Fn() -> u64 + Send + Sync>),
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Clock::None => "None",
            Clock::Monotonic => "Monotonic",
            Clock::Function(_) => "Function",
        })
    }
}
