//! The recording of all threads of this process, which is written to TOLL_OUT when the process
//! ends.

use {
    crate::{
        labels,
        record::{self, Recorder},
        run::{self, Run},
    },
    std::{
        ffi::c_int,
        fmt::Display,
        path::{Path, PathBuf},
        sync::{
            atomic::{AtomicU32, Ordering},
            Mutex, MutexGuard, OnceLock,
        },
    },
    tollprof::{Error, Profile},
};

/// What was recorded in this process.
pub(crate) struct Recorded {
    by: labels::By,
    idle: Vec<(String, Recorder)>, // those that no transaction uses, with the labels of their profiles
    running: usize,                // how many are in use
    kept: Option<Profile>,         // earlier recordings, with their own labels
    labels: Vec<String>, // added to everything that is written, like those of the environment
}

pub(crate) fn lock() -> MutexGuard<'static, Recorded> {
    static RECORDED: OnceLock<Mutex<Recorded>> = OnceLock::new();
    let recorded = RECORDED.get_or_init(|| {
        if OUT.get_or_init(out).is_some() {
            PROCESS.store(std::process::id(), Ordering::Relaxed);
            // SAFETY: the function is of the form that atexit takes.
            unsafe { atexit(write_at_exit) };
        }
        Mutex::new(Recorded {
            by: labels::By::of_environment(),
            idle: Vec::new(),
            running: 0,
            kept: None,
            labels: Vec::new(),
        })
    });
    recorded.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// The file that TOLL_OUT names, when the first transaction began: a test may change the folder. None:
/// it names none.
fn out() -> Option<PathBuf> {
    let name = std::env::var_os("TOLL_OUT").filter(|name| !name.is_empty())?;
    Some(run::base_folder().unwrap_or_default().join(name))
}

static OUT: OnceLock<Option<PathBuf>> = OnceLock::new();
static PROCESS: AtomicU32 = AtomicU32::new(0); // that writes it, and not one that was forked from it

/// Write the profile to TOLL_OUT: a file for all processes of one `cargo test`, which are added up; or
/// with the process's id in place of %p.
extern "C" fn write_at_exit() {
    let Some(Some(path)) = OUT.get() else { return };
    if PROCESS.load(Ordering::Relaxed) != std::process::id() {
        return;
    }
    let name = path.to_string_lossy();
    let own = name.replace("%p", &std::process::id().to_string());
    let run = if own == name { Run::lock(path) } else { None };
    if let Err(error) = lock().write(Path::new(&own), run) {
        eprintln!("toll: TOLL_OUT: {error}");
    }
}

/// Move what the recorder has to `kept`, with its labels.
fn keep(kept: &mut Option<Profile>, recorder: &mut Recorder, labels: &str) -> Result<(), Error> {
    let profile = recorder.take()?.with_labels(labels)?;
    match kept {
        Some(kept) => kept.merge(&profile)?,
        None => *kept = Some(profile),
    }
    Ok(())
}

impl Recorded {
    /// A recorder for a transaction that begins on this thread, and the labels of what it records.
    pub(crate) fn check_out(&mut self, signature: Option<&dyn Display>) -> (Recorder, String) {
        let labels = self.by.labels(signature);
        let same = self.idle.iter().position(|(of, _)| *of == labels);
        let mut recorder = match same {
            Some(at) => self.idle.swap_remove(at).1,
            None => self.empty(),
        };
        recorder.take_lines();
        self.running += 1;
        (recorder, labels)
    }

    /// A recorder that has nothing: one whose recording is kept, or a new one.
    fn empty(&mut self) -> Recorder {
        let Some((labels, recorder)) = self.idle.last_mut() else { return Recorder::new() };
        if keep(&mut self.kept, recorder, labels).is_err() {
            return Recorder::new(); // for lack of memory
        }
        self.idle.pop().expect("it is the last one").1
    }

    /// The transaction has ended.
    pub(crate) fn check_in(&mut self, recorder: Recorder, labels: String) {
        self.running -= 1;
        self.idle.push((labels, recorder));
    }

    /// Set labels for everything that is written from now on. They replace labels of the same keys.
    pub(crate) fn label(&mut self, labels: String) {
        self.labels.push(labels);
    }

    /// Write it all, with what earlier processes of the run have recorded.
    pub(crate) fn write(&mut self, path: &Path, run: Option<Run>) -> Result<(), Error> {
        if self.idle.is_empty() && self.kept.is_none() {
            self.idle.push((String::new(), Recorder::new())); // an empty profile has its columns
        }
        for (labels, recorder) in &mut self.idle {
            keep(&mut self.kept, recorder, labels)?;
        }
        let mut profile = self.kept.as_ref().expect("it was made above").copy()?;
        let text =
            "transactions that were running on other threads when the profile was written: they, \
                    and what ran there before, are not in it";
        profile.add_note(text, self.running as u64)?;
        for labels in labels::of_environment().iter().chain(&self.labels) {
            profile = profile.with_labels(labels)?;
        }
        labels::By::warn();
        if let Some(run) = &run {
            run.add(&mut profile)?;
        }
        record::note_names(&mut profile)?;
        profile.save(path)
    }
}
