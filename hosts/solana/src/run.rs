//! One `cargo test` runs each test program in a process of its own, in the folder of its package, and
//! all of them write to one file.

use {
    std::{
        env,
        fs::{self, File},
        hash::{DefaultHasher, Hash, Hasher},
        path::{Path, PathBuf},
        time::Duration,
    },
    tollprof::{Error, Profile},
};

/// A process, when it began, and where its number counts: so no other one is the same.
struct Process {
    id: u32,
    began: String,
    namespace: String,
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

    /// Numbers of processes are those of a namespace, such as a container's.
    fn namespace() -> Option<String> {
        let link = fs::read_link("/proc/self/ns/pid").ok()?;
        Some(link.to_string_lossy().chars().filter(char::is_ascii_digit).collect())
    }

    /// The Cargo that has started this process, or what has; the nearest one. (`cargo run` becomes the
    /// program, and is none.)
    pub(super) fn cargo() -> Option<Process> {
        let (_, mut id, _) = look(std::process::id())?;
        loop {
            let (name, parent, began) = look(id)?;
            if name == "cargo" || name == "cargo-nextest" {
                return Some(Process { id, began, namespace: namespace()? });
            }
            id = parent;
        }
    }

    pub(super) fn runs(process: &Process) -> bool {
        namespace().as_ref() != Some(&process.namespace) // then it is not known
            || look(process.id).is_some_and(|(_, _, began)| began == process.began)
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
        return Some(Process {
            id: std::os::unix::process::parent_id(),
            began: "0".to_string(),
            namespace: "0".to_string(),
        });
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

/// A folder that all processes of a run have, and other users have not: in that of what Cargo builds,
/// where the test programs are. Examples in documentation are built elsewhere.
fn own_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let deps = program.parent().filter(|folder| folder.ends_with("deps"));
    let target = match deps.and_then(|deps| deps.parent()?.parent()) {
        Some(target) => target.to_path_buf(),
        None => target_folder()?,
    };
    let own = target.join("toll");
    fs::create_dir_all(&own).ok()?;
    Some(own)
}

fn target_folder() -> Option<PathBuf> {
    if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
        return Some(base_folder()?.join(target));
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let is_workspace = |folder: &&Path| folder.join("Cargo.lock").is_file();
    package.ancestors().find(is_workspace).map(|workspace| workspace.join("target"))
}

/// What one run of Cargo has recorded so far for a file: in a file of its own, since not every format
/// keeps everything.
pub(crate) struct Run {
    sum: PathBuf,
    _lock: File, // no other process adds to a sum meanwhile
}

const END: &str = ".pb.gz";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The run to which the file of that name belongs, if it is a sum: HASH-ID-BEGAN-NAMESPACE.pb.gz.
fn run_of(name: &str) -> Option<Process> {
    let parts: Vec<_> = name.strip_suffix(END)?.split('-').collect();
    let [hash, id, began, namespace] = parts[..] else { return None };
    if hash.len() != 16 || !hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let (began, namespace) = (began.to_string(), namespace.to_string());
    Some(Process { id: id.parse().ok()?, began, namespace })
}

/// Remove the sums of runs that have ended, in our own folder.
fn clean(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Some(run) = run_of(&entry.file_name().to_string_lossy()) else { continue };
        let changed = entry.metadata().and_then(|data| data.modified()).ok();
        let is_old = changed.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > DAY);
        if is_old || !system::runs(&run) {
            let _ = fs::remove_file(entry.path()); // else it stays
        }
    }
}

impl Run {
    /// Wait until no other process adds to a sum. None: this process does not belong to a run, or there
    /// is no place for the sum, which is said.
    pub(crate) fn lock(path: &Path) -> Option<Run> {
        let cargo = system::cargo()?;
        let run = Run::lock_sum(path, &cargo);
        if run.is_none() {
            eprintln!(
                "toll: warning: TOLL_OUT: each test program replaces what others have written, since \
                 the target folder cannot be written; use %p in the name"
            );
        }
        run
    }

    fn lock_sum(path: &Path, cargo: &Process) -> Option<Run> {
        let folder = own_folder()?;
        let mut hash = DefaultHasher::new();
        path.hash(&mut hash);
        let (id, began, namespace) = (cargo.id, &cargo.began, &cargo.namespace);
        let name = format!("{:016x}-{id}-{began}-{namespace}{END}", hash.finish());
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let lock = options.open(folder.join("lock")).ok()?;
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
