//! The labels of profiles.

use std::{
    collections::BTreeMap,
    fmt::Display,
    sync::{LazyLock, Mutex},
    thread::{self, Thread},
};

/// The labels in the variable TOLL_LABELS. A wrong list is reported and omitted, since the profile
/// is worth more.
pub(crate) fn of_environment() -> Option<String> {
    let labels = std::env::var_os("TOLL_LABELS")?.to_string_lossy().into_owned();
    match tollprof::check_labels(&labels) {
        Ok(()) => Some(labels),
        Err(why) => {
            eprintln!("toll: warning: TOLL_LABELS is left out: {why}");
            None
        }
    }
}

/// By what profiles are divided, from the variable TOLL_BY: `test`, `transaction`, or both with a
/// comma.
#[derive(Clone, Copy, Default)]
pub(crate) struct By {
    test: bool,
    transaction: bool,
}

impl By {
    /// The variable's value, and the keys in it that are not known.
    fn read() -> (By, Vec<String>) {
        let (mut by, mut others) = (By::default(), Vec::new());
        let text = std::env::var_os("TOLL_BY").unwrap_or_default();
        for key in text.to_string_lossy().split(',').map(str::trim).filter(|key| !key.is_empty()) {
            match key {
                "test" => by.test = true,
                "transaction" => by.transaction = true,
                _ => others.push(key.to_string()),
            }
        }
        (by, others)
    }

    pub(crate) fn of_environment() -> By {
        By::read().0
    }

    /// Report keys that do not exist. To be called at the end of the process, since output of tests
    /// is shown only if they fail.
    pub(crate) fn warn() {
        for key in By::read().1 {
            eprintln!(
                "toll: warning: TOLL_BY: '{key}' is not known here; there are test and transaction"
            );
        }
    }

    /// The labels of a transaction of this thread, or of an instruction that runs alone, which has no
    /// signature. The thread's name is that of the test.
    pub(crate) fn labels(self, signature: Option<&dyn Display>) -> String {
        let mut labels = String::new();
        let thread = thread::current();
        if let Some(test) = thread.name().filter(|name| self.test && *name != "main") {
            labels += &format!("test={}\n", test.replace('\n', " "));
        }
        if self.transaction {
            labels += &format!("transaction={}", name_of(signature, &thread));
            labels += &numbered(&labels);
            labels.push('\n');
        }
        labels
    }
}

/// The name of a transaction. That of an instruction alone has a slash, which no signature has.
fn name_of(signature: Option<&dyn Display>, thread: &Thread) -> String {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let path = std::env::current_exe().unwrap_or_default();
        path.file_stem().unwrap_or_default().to_string_lossy().replace('\n', " ")
    });
    match signature {
        Some(signature) => signature.to_string(),
        None => format!("{}/{}", *PROGRAM, thread.name().unwrap_or_default().replace('\n', " ")),
    }
}

/// What follows labels that were given before: each run of a transaction is one of its own, also if
/// it was simulated, or sent to several machines.
fn numbered(labels: &str) -> String {
    static GIVEN: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let mut given = GIVEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let count = given.entry(labels.to_string()).or_default();
    *count += 1;
    if *count > 1 {
        format!("#{count}")
    } else {
        String::new()
    }
}
