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

/// Something that all processes of one run have in common, and no other run has: the process that
/// started them, and when it began. None: it was not Cargo.
fn id() -> Option<String> {
    env::var_os("CARGO")?;
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id();
        let stat = fs::read_to_string(format!("/proc/{parent}/stat")).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default(); // after its name, which may have blanks
        let began = fields.split_whitespace().nth(19).unwrap_or_default();
        Some(format!("{parent} {began}"))
    }
    #[cfg(not(unix))]
    None
}

/// A folder that all processes of a run have, and other users have not: that of the test programs; or
/// for examples in documentation, which rustdoc builds elsewhere, the project's `target`.
fn folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    if let Some(deps) = program.parent().filter(|folder| folder.ends_with("deps")) {
        return Some(deps.to_path_buf());
    }
    let project = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    project.ancestors().map(|folder| folder.join("target")).find(|folder| folder.is_dir())
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
        if self.is_same {
            profile.merge(&Profile::read(&self.sum)?)?;
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
