//! Which processes belong to one `cargo test`: it runs each test program in a process of its own, and
//! all of them write to one file.

use {
    std::{
        env,
        fs::{self, File},
        hash::{DefaultHasher, Hash, Hasher},
        io::{self, Read, Seek, Write},
        path::{Path, PathBuf},
    },
    tollprof::{Error, Profile},
};

/// The run that has written a file, in a file of its own that is locked meanwhile; and beside it what
/// the run has recorded so far, since not every format keeps everything.
pub(crate) struct Run {
    file: File,
    sum: PathBuf,
    id: String,
    is_same: bool,
}

/// Something that all processes of one run have in common, and no other run has: the outermost Cargo
/// that has started them, and when it began. None: none has. (`cargo run` becomes the program.)
#[cfg(target_os = "linux")]
fn id() -> Option<String> {
    let mut found = None;
    let mut process = std::process::id();
    while process > 1 {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let (head, fields) = stat.rsplit_once(") ")?; // the name may have blanks
        let (_, name) = head.split_once('(')?;
        let mut fields = fields.split(' ').skip(1); // after its state: its parent, ...
        let parent = fields.next()?.parse().ok()?;
        if name.starts_with("cargo") && process != std::process::id() {
            found = Some(format!("{process} {}", fields.nth(17)?));
        }
        process = parent;
    }
    found
}

/// Without /proc: the process that has started this one, if it is a test program.
#[cfg(all(unix, not(target_os = "linux")))]
fn id() -> Option<String> {
    env::var_os("CARGO")?;
    env::current_exe().ok()?.parent().filter(|folder| folder.ends_with("deps"))?;
    Some(std::os::unix::process::parent_id().to_string())
}

#[cfg(not(unix))]
fn id() -> Option<String> {
    None
}

/// A folder that all processes of a run have, and other users have not.
fn folder() -> Option<PathBuf> {
    let project = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let targets = project.ancestors().map(|folder| folder.join("target"));
    let program = env::current_exe().ok();
    let programs = program.iter().filter_map(|path| path.parent()).map(Path::to_path_buf);
    target.into_iter().chain(targets).chain(programs).find(|folder| folder.is_dir())
}

impl Run {
    /// Wait until no other process writes to `path`. None: this process does not belong to a run.
    pub(crate) fn lock(path: &Path) -> Option<Run> {
        let id = id()?;
        let mut hash = DefaultHasher::new();
        std::path::absolute(path).ok()?.hash(&mut hash);
        let sum = folder()?.join(format!("toll-{:016x}.pb.gz", hash.finish()));
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(sum.with_extension("run")).ok()?;
        file.lock().ok()?;
        let mut last = String::new();
        file.read_to_string(&mut last).ok()?;
        Some(Run { file, is_same: last == id, sum, id })
    }

    /// Add what earlier processes of the run have recorded, and keep the sum for later ones. This
    /// process is the last to do so until the run is dropped.
    pub(crate) fn add(mut self, profile: &mut Profile) -> Result<Run, Error> {
        match self.is_same.then(|| Profile::read(&self.sum)) {
            Some(Ok(earlier)) => profile.merge(&earlier)?,
            Some(Err(error)) => {
                eprintln!("toll: warning: earlier test programs are left out: {error}")
            }
            None => {}
        }
        profile.save(&self.sum)?;
        let mut write = || {
            self.file.set_len(0)?;
            self.file.rewind()?;
            self.file.write_all(self.id.as_bytes())
        };
        let _: io::Result<()> = write(); // else the next process begins the file anew
        Ok(self)
    }
}
