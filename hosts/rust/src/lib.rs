//! Exact profiles of what runs in a virtual machine: what each call stack cost, in nanoseconds or in
//! what the machine pays in (executed instructions, gas). The machine reports each call and each
//! return; nothing is sampled.
//!
//! | you have | use |
//! |---|---|
//! | one machine in a program, whose user asks for a profile by `TOLL_OUT=run.pb.gz` | [`Recording`] |
//! | several machines, several counters, lines, heap, the order of calls, profiles in memory | [`Recorder`] |
//! | files, of Toll or another tool | [`Profile`] |
//!
//! ```
//! use tollprof::{Counter, Frame, Profile, Recorder};
//!
//! let mut recorder = Recorder::new([Counter::new("ticks", "count")])?;
//! let main = recorder.add_frame(&Frame::new("main").defined_in("guest.vm", 1))?;
//! let square = recorder.add_frame(&Frame::new("square").defined_in("guest.vm", 8))?;
//! recorder.call(main, [0]); // the counters, as they are now
//! recorder.call(square, [10]);
//! recorder.ret([17]);
//! recorder.stop([22]);
//!
//! let profile: Profile = recorder.snapshot()?;
//! let ticks = profile.column("ticks").unwrap().id;
//! assert_eq!(profile.total(ticks)?, 22);
//! for node in profile.nodes() {
//!     let names: Vec<_> = node.stack().iter().map(|frame| frame.name).collect();
//!     println!("{} {}", names.join(";"), node.self_value(ticks));
//! }
//! # let folder = std::env::temp_dir().join(format!("tollprof-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # std::env::set_current_dir(&folder).unwrap();
//! profile.save("guest.pb.gz")?; // go tool pprof, speedscope, toll report, ...
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), tollprof::Error>(())
//! ```
//!
//! **Threads.** Recorders and profiles are `Send`: they may move to another thread. They are not
//! `Sync`: one thread at a time uses them. A program with several OS threads has a recorder for
//! each, with a [`main_thread`](Options::main_thread) of its own, and [merges](Profile::merge) their
//! profiles.
//!
//! **Panics.** No function of this crate panics but for lack of memory in Rust's own allocator, and
//! none calls code of the caller's from C. What can fail returns a [`Result`], whose error says what
//! is wrong, where, and what to do.
//!
//! **Cost.** An event is a call of a C function of some nanoseconds. In a debug build libtoll is
//! compiled without optimisation, too. If that matters:
//!
//! ```toml
//! [profile.dev.package.toll-sys]
//! opt-level = 2
//! ```
//!
//! What each event means is defined in Toll's docs/semantics.md. Functions that this crate does not
//! have are in [`toll_sys`], and get objects by `as_ptr()`.

#![warn(missing_docs)]

mod budget;
mod clock;
mod combine;
mod error;
mod files;
mod frame;
mod output;
mod profile;
mod recorder;
mod recording;
mod report;
mod text;
mod timeline;
mod track;
mod walk;

pub use {
    clock::Clock,
    combine::{check_labels, Filter},
    error::{check, Error, Result, Status},
    files::{formats, Format, ReadOptions, WriteOptions},
    frame::{Frame, FrameId, Kind},
    profile::Profile,
    recorder::{Counter, Options, Recorder},
    recording::{Coroutine, FunctionId, Recording, RecordingOptions},
    report::{ReportOptions, Sort},
    timeline::{Order, Timeline},
    toll_sys,
    track::Track,
    walk::{Column, ColumnId, Node, NodeId, Thread, ThreadId},
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// A profile is for one thread at a time:
/// ```compile_fail,E0277
/// fn is_sync<T: Sync>() {}
/// is_sync::<tollprof::Profile>();
/// ```
/// A recorder is:
/// ```compile_fail,E0277
/// fn is_sync<T: Sync>() {}
/// is_sync::<tollprof::Recorder<1>>();
/// ```
/// A recording stays on its thread:
/// ```compile_fail,E0277
/// fn is_send<T: Send>() {}
/// is_send::<tollprof::Recording<1>>();
/// ```
#[cfg(doctest)]
mod threads {}
