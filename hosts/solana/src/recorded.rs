//! What was recorded in this process, by all of its threads; TOLL_OUT is written from it when the process ends.

use {
    crate::{labels, profile::Profile, record::Recorder},
    std::{
        ffi::{c_int, CString},
        fmt::Display,
        path::Path,
        sync::{Mutex, MutexGuard, OnceLock},
    },
};

/// What was recorded in this process.
pub(crate) struct Recorded {
    recorder: Recorder,
    by: labels::By,
    of: CString,           // labels of what the recorder has
    kept: Option<Profile>, // what had others, with these
    labels: Vec<CString>,  // of what is written, beside those of the environment
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
            of: CString::default(),
            kept: None,
            labels: Vec::new(),
        })
    });
    recorded.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// TOLL_OUT with %p replaced by the process's id: test binaries of one `cargo test` are several
/// processes.
extern "C" fn write_at_exit() {
    let Some(path) = std::env::var_os("TOLL_OUT") else { return };
    let path = path.to_string_lossy().replace("%p", &std::process::id().to_string());
    if let Err(error) = lock().write(Path::new(&path)) {
        eprintln!("toll: {error}");
    }
}

impl Recorded {
    /// The recorder for a transaction that has ended on this thread. What was recorded of others with other
    /// labels is kept apart from it, if the variable TOLL_BY says so.
    pub(crate) fn recorder_of(&mut self, transaction: Option<&dyn Display>) -> &mut Recorder {
        let of = self.by.labels(transaction);
        if of != self.of && self.keep().is_ok() {
            self.of = of;
        } else if of != self.of {
            self.recorder.note(c"transactions with the labels of others, for lack of memory", 1);
        }
        &mut self.recorder
    }

    /// Move what is recorded to what is kept, with its labels.
    fn keep(&mut self) -> Result<(), String> {
        let profile = self.recorder.snapshot()?.labelled(&self.of)?;
        match &mut self.kept {
            Some(kept) => kept.add(&profile)?,
            None => self.kept = Some(profile),
        }
        self.recorder = Recorder::new();
        Ok(())
    }

    /// Labels of what is written from now on, in place of those of the same keys.
    pub(crate) fn label(&mut self, labels: CString) {
        self.labels.push(labels);
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let mut profile = self.recorder.snapshot()?.labelled(&self.of)?;
        if let Some(kept) = &self.kept {
            profile.add(kept)?;
        }
        for labels in labels::of_environment().iter().chain(&self.labels) {
            profile = profile.labelled(labels)?;
        }
        labels::By::warn();
        profile.save(path)
    }
}
