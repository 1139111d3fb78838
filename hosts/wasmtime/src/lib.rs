//! Profiles WebAssembly guests of [wasmtime]: every call and the instructions that it executes, and
//! on request time, heap and counts of lines. It records every event, and does not sample.
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
//! `toll.wasm`, the library as a WebAssembly module, is part of this crate, and instruments the
//! guest. Each instance of the guest gets an instance of `toll.wasm` in the same store, and calls
//! it directly for each event. The host is called only for the time.
//!
//! In an asynchronous store use `instantiate_async`, `call_async`, `profile_async` and so on. Each
//! store has its own stacks, so any number of guests may be suspended at the same time. Time passes
//! for a guest only while the future of its call is polled. If that future is dropped, the
//! functions of the call are left.
//!
//! With the feature `component-model`, `ComponentRecorder` does the same for components.

#![warn(missing_docs)]

mod budget;
mod calls;
mod clock;
#[cfg(feature = "component-model")]
mod component;
mod embedder;
mod engine;
mod instance;
mod library;
mod open_call;
mod output;
mod recorder;
mod recording;
mod start_time;
mod state;
mod sum;

#[cfg(feature = "component-model")]
pub use component::ComponentRecorder;
pub use instance::{Func, Instance, TypedFunc};
pub use recorder::Recorder;
pub use wasmtime;

use std::{fmt, sync::Arc};

/// What is recorded, and how. The default is calls and ticks: each instruction that the guest
/// executes is one tick.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the module's file, for profiles and messages.
    pub name: String,
    /// Record time too.
    pub clock: Clock,
    /// Bytes allocated and in use, by stack, for allocators with known names.
    pub heap: bool,
    /// Keep all calls in order, in memory: see [`Recorder::timeline`].
    pub timeline: bool,
    /// How often each line runs, and its ticks, if the module has DWARF; else each basic block, which
    /// `toll convert --debug` turns into lines.
    pub lines: bool,
    /// As `lines`, and callees are under the line that calls them.
    pub call_lines: bool,
    /// With `lines`, frames for inlined functions.
    pub inlines: bool,
    /// With `lines`, basic blocks even with DWARF.
    pub no_debug: bool,
    /// Do not count instructions.
    pub no_ticks: bool,
    /// Do not follow calls. With `lines`, only executions are recorded.
    pub no_calls: bool,
    /// Follow only functions that match this pattern (docs/semantics.md, "Patterns"). The cost of
    /// the others is charged to their callers.
    pub only: String,
    /// Do not follow functions that match this pattern.
    pub skip: String,
    /// The cost of each instruction: `fuel`, or lines `INSTRUCTION COST`. By default each costs 1.
    pub costs: String,
    /// Labels of the profiles, `commit=3f2a,host=a`. They replace those of the same keys in the
    /// environment variable `TOLL_LABELS`.
    pub labels: String,
    /// Deeper calls are charged to their ancestor at this depth; 0: no limit.
    pub depth: u32,
}

/// Where the time comes from.
#[derive(Clone, Default)]
pub enum Clock {
    /// No time is recorded.
    #[default]
    None,
    /// [`std::time::Instant`], which is read once in a window of microseconds: docs/semantics.md,
    /// "Time by windows". With `timeline` each event reads it.
    Monotonic,
    /// A function that returns nanoseconds, which never decrease. Each event calls it.
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
