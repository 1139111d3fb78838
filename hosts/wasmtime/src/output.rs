//! The destination of a profile: bytes, or a file that appears whole or not at all.

use flate2::{write::GzEncoder, Compression};
use std::{
    collections::hash_map::RandomState,
    fs::File,
    hash::{BuildHasher, Hasher},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

pub enum Output {
    Bytes(Vec<u8>),
    File(WholeFile),
}

impl Output {
    pub fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        match self {
            Output::Bytes(bytes) => bytes.extend_from_slice(piece),
            Output::File(file) => match &mut file.to {
                To::Plain(to) => to.write_all(piece)?,
                To::Gzip(to) => to.write_all(piece)?,
            },
        }
        Ok(())
    }

    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Output::Bytes(bytes) => bytes,
            Output::File(_) => Vec::new(),
        }
    }
}

enum To {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

/// A file that has another name until it is completely written. Then it gets its name, and the mode
/// of the file that it replaces. It is compressed if its name ends in .gz.
pub struct WholeFile {
    to: To,
    target: PathBuf,
    temporary: Option<Temporary>, // None: a device, or a pipe, is written directly
}

/// A new file in the same folder.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name: String =
        path.file_name().unwrap_or_default().to_string_lossy().chars().take(50).collect();
    let mut last = None;
    for _ in 0..100 {
        let number = RandomState::new().build_hasher().finish(); // the standard library's random number
        let path = path.with_file_name(format!("{name}.{number:016x}.tmp"));
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
}

/// A temporary file, which is removed unless it has been renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl WholeFile {
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let found = std::fs::metadata(&target).ok();
        let (file, temporary) = match &found {
            Some(found) if !found.is_file() => (File::options().write(true).open(&target)?, None),
            _ => {
                let (file, name) = beside(&target)?;
                (file, Some(Temporary(name)))
            }
        };
        if let (Some(found), Some(_)) = (found, &temporary) {
            file.set_permissions(found.permissions())?;
        }
        let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
        let file = BufWriter::new(file);
        let to = match is_compressed {
            true => To::Gzip(GzEncoder::new(file, Compression::default())),
            false => To::Plain(file),
        };
        Ok(WholeFile { to, target, temporary })
    }

    pub fn finish(self) -> io::Result<()> {
        let mut file = match self.to {
            To::Plain(file) => file,
            To::Gzip(file) => file.finish()?,
        };
        file.flush()?;
        let Some(temporary) = &self.temporary else { return Ok(()) };
        file.get_ref().sync_all()?; // if the machine stops before the renaming, the old file is still there
        drop(file);
        std::fs::rename(&temporary.0, &self.target)?;
        let folder = self.target.parent().filter(|folder| *folder != Path::new(""));
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all(); // on systems where a folder can be opened for that
        }
        Ok(())
    }
}
