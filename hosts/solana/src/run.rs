//! One `cargo test` runs each test program in a process of its own, in the folder of its package, and
//! all of them write to one file.

use {
    std::{
        env,
        fs::{self, File},
        hash::{DefaultHasher, Hash, Hasher},
        path::{Path, PathBuf},
    },
    tollprof::{Error, Profile},
};

/// A process, and when it began: so no other one is the same.
#[derive(Clone, PartialEq, Eq)]
struct Process {
    id: u32,
    began: String,
}

#[cfg(target_os = "linux")]
mod system {
    use super::*;

    /// The process's name, its parent, and when it began.
    fn look(id: u32) -> Option<(String, u32, String)> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (head, fields) = stat.rsplit_once(") ")?; // the name may have blanks
        let mut fields = fields.split(' ').skip(1); // after its state: its parent, ...
        let parent = fields.next()?.parse().ok()?;
        Some((head.split_once('(')?.1.to_string(), parent, fields.nth(17)?.to_string()))
    }

    /// The Cargo that has started this process, or what has; the nearest one. (`cargo run` becomes the
    /// program, and is none.)
    pub(super) fn cargo() -> Option<Process> {
        let (_, mut id, _) = look(std::process::id())?;
        loop {
            let (name, parent, began) = look(id)?;
            if name == "cargo" || name == "cargo-nextest" {
                return Some(Process { id, began });
            }
            id = parent;
        }
    }

    pub(super) fn runs(process: &Process) -> bool {
        look(process.id).is_some_and(|(_, _, began)| began == process.began)
    }

    pub(super) fn folder_of(process: &Process) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{}/cwd", process.id)).ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    /// The process that has started this one, if it is a test program of Cargo's.
    pub(super) fn cargo() -> Option<Process> {
        env::var_os("CARGO")?;
        env::current_exe().ok()?.parent().filter(|folder| folder.ends_with("deps"))?;
        #[cfg(unix)]
        return Some(Process { id: std::os::unix::process::parent_id(), began: "0".to_string() });
        #[cfg(not(unix))]
        None
    }

    pub(super) fn runs(_: &Process) -> bool {
        true // not known
    }

    /// The workspace, whose packages have their tests run in folders of their own.
    pub(super) fn folder_of(_: &Process) -> Option<PathBuf> {
        let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
        let is_workspace = |folder: &&Path| folder.join("Cargo.lock").is_file();
        package.ancestors().find(is_workspace).map(Path::to_path_buf)
    }
}

/// Where a name that is no whole path leads from: the folder in which Cargo was started, or else the
/// current one.
pub(crate) fn base_folder() -> Option<PathBuf> {
    let cargo = system::cargo().and_then(|cargo| system::folder_of(&cargo));
    cargo.or_else(|| env::current_dir().ok())
}

/// A folder that all processes of a run have, and other users have not.
fn own_folder() -> Option<PathBuf> {
    let project = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let targets = project.ancestors().map(|folder| folder.join("target"));
    let program = env::current_exe().ok();
    let programs = program.iter().filter_map(|path| path.parent()).map(Path::to_path_buf);
    target.into_iter().chain(targets).chain(programs).find(|folder| folder.is_dir())
}

/// What one run of Cargo has recorded so far for a file: in a file of its own, since not every format
/// keeps everything.
pub(crate) struct Run {
    sum: PathBuf,
    _lock: File, // no other process adds to a sum meanwhile
}

const BEFORE: &str = "toll-";
const AFTER: &str = ".pb.gz";

/// The run to which a file with a sum belongs.
fn run_of(name: &str) -> Option<Process> {
    let mut parts = name.strip_prefix(BEFORE)?.strip_suffix(AFTER)?.split('-').skip(1);
    Some(Process { id: parts.next()?.parse().ok()?, began: parts.next()?.to_string() })
}

/// Remove the sums of runs that have ended.
fn clean(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if run_of(&name.to_string_lossy()).is_some_and(|run| !system::runs(&run)) {
            let _ = fs::remove_file(entry.path()); // else it stays
        }
    }
}

impl Run {
    /// Wait until no other process adds to a sum. None: this process does not belong to a run.
    pub(crate) fn lock(path: &Path) -> Option<Run> {
        let (cargo, folder) = (system::cargo()?, own_folder()?);
        let mut hash = DefaultHasher::new();
        path.hash(&mut hash);
        let name = format!("{BEFORE}{:016x}-{}-{}{AFTER}", hash.finish(), cargo.id, cargo.began);
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let lock = options.open(folder.join("toll.lock")).ok()?;
        lock.lock().ok()?;
        clean(&folder);
        Some(Run { sum: folder.join(name), _lock: lock })
    }

    /// Add what earlier processes of the run have recorded, and keep the sum for later ones.
    pub(crate) fn add(&self, profile: &mut Profile) -> Result<(), Error> {
        if self.sum.exists() {
            match Profile::read(&self.sum) {
                Ok(earlier) => profile.merge(&earlier)?,
                Err(error) => {
                    eprintln!("toll: warning: earlier test programs are left out: {error}")
                }
            }
        }
        profile.save(&self.sum)
    }
}
