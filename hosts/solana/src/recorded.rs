//! The recording of all threads of this process, which is written to TOLL_OUT when the process
//! ends.

use {
    crate::{labels, record::Recorder},
    std::{
        ffi::c_int,
        fmt::Display,
        path::Path,
        sync::{Mutex, MutexGuard, OnceLock},
    },
    tollprof::{Error, Profile},
};

/// What was recorded in this process.
pub(crate) struct Recorded {
    recorder: Recorder,
    by: labels::By,
    of: String,            // the labels of what is in the recorder now
    kept: Option<Profile>, // earlier recordings, with their own labels
    labels: Vec<String>,   // added to everything that is written, like those of the environment
}

pub(crate) fn lock() -> MutexGuard<'static, Recorded> {
    static RECORDED: OnceLock<Mutex<Recorded>> = OnceLock::new();
    let recorded = RECORDED.get_or_init(|| {
        if std::env::var_os("TOLL_OUT").is_some() {
            // SAFETY: the function is of the form that atexit takes.
            unsafe { atexit(write_at_exit) };
        }
        Mutex::new(Recorded {
            recorder: Recorder::new(),
            by: labels::By::of_environment(),
            of: String::new(),
            kept: None,
            labels: Vec::new(),
        })
    });
    recorded.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// Write the profile to TOLL_OUT, with the process's id in place of %p, since `cargo test` runs its
/// test binaries in several processes.
extern "C" fn write_at_exit() {
    let Some(path) = std::env::var_os("TOLL_OUT") else { return };
    let path = path.to_string_lossy().replace("%p", &std::process::id().to_string());
    if let Err(error) = lock().write(Path::new(&path)) {
        eprintln!("toll: {error}");
    }
}

impl Recorded {
    /// The recorder for a transaction that has ended on this thread. If TOLL_BY asks for labels,
    /// recordings with other labels are first moved to `kept`.
    pub(crate) fn recorder_of(&mut self, transaction: Option<&dyn Display>) -> &mut Recorder {
        let of = self.by.labels(transaction);
        if of != self.of && self.keep().is_ok() {
            self.of = of;
        } else if of != self.of {
            self.recorder.note("transactions with the labels of others, for lack of memory", 1);
        }
        &mut self.recorder
    }

    /// Move what the recorder has to `kept`, with its labels.
    fn keep(&mut self) -> Result<(), Error> {
        let profile = self.recorder.snapshot()?.with_labels(&self.of)?;
        match &mut self.kept {
            Some(kept) => kept.merge(&profile)?,
            None => self.kept = Some(profile),
        }
        self.recorder = Recorder::new();
        Ok(())
    }

    /// Set labels for everything that is written from now on. They replace labels of the same keys.
    pub(crate) fn label(&mut self, labels: String) {
        self.labels.push(labels);
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let mut profile = self.recorder.snapshot()?.with_labels(&self.of)?;
        if let Some(kept) = &self.kept {
            profile.merge(kept)?;
        }
        for labels in labels::of_environment().iter().chain(&self.labels) {
            profile = profile.with_labels(labels)?;
        }
        labels::By::warn();
        profile.save(path)
    }
}
