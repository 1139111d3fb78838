//! Budgets in tests: holds a profile to rules, by the command `toll`. The crate toll-wasmtime has
//! this file, too.

use std::{
    env, fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

/// The file with the rules, which messages name.
const RULES: &str = "assert_budget";
const PROFILE: &str = "test.pb.gz";

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// Panic with what `toll check` says unless the profile that `write` makes holds to all rules.
#[track_caller]
pub(crate) fn assert_budget<E: std::fmt::Display>(
    rules: &[&str],
    write: impl FnOnce(&Path) -> Result<(), E>,
) {
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("toll-{}-{number}", std::process::id()));
    let held = fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()));
    let held = held.and_then(|()| hold(&folder, rules, write));
    let _ = fs::remove_dir_all(&folder); // the result is worth more
    if let Err(text) = held {
        panic!("{text}");
    }
}

fn hold<E: std::fmt::Display>(
    folder: &Path,
    rules: &[&str],
    write: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), String> {
    write(&folder.join(PROFILE)).map_err(|error| error.to_string())?;
    fs::write(folder.join(RULES), rules.join("\n") + "\n").map_err(|error| error.to_string())?;
    let output = Command::new("toll")
        .args(["check", "-q", "--budget", RULES, PROFILE])
        .current_dir(folder)
        .env_remove("GITHUB_ACTIONS") // it would print annotations
        .output()
        .map_err(|error| format!("the command toll cannot be run: {error}; put it on the PATH"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said
        .lines()
        .map(|line| line.strip_prefix("toll: ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n"))
}
