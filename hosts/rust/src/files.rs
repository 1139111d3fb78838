//! Reads and writes profiles, in Toll's formats and those of other tools.

use {
    crate::{
        error::{check, made},
        output::to_memory,
        text::{self, from_c, to_c, Optional},
        Error, Profile, Result, Status, Timeline,
    },
    std::{
        ffi::{c_char, c_void, CStr},
        path::Path,
        ptr::{null, null_mut, NonNull},
    },
    toll_sys as sys,
};

/// Options of [`Profile::read_with`] and [`Profile::from_bytes_with`].
#[derive(Debug, Default)]
pub struct ReadOptions<'a> {
    /// The name of the [format](formats); none: decide by the content.
    pub format: Option<&'a str>,
    /// Fail, where otherwise a note counts what is omitted.
    pub strict: bool,
    /// Gets the order of calls, if the file has it.
    pub timeline: Option<&'a mut Option<Timeline>>,
    /// Gets a line on whatever is omitted or guessed.
    pub warnings: Option<&'a mut Vec<String>>,
}

/// Options of [`Profile::save_with`] and [`Profile::to_bytes_with`].
#[derive(Debug, Default)]
pub struct WriteOptions<'a> {
    /// The name of the [format](formats); none: by the file's name.
    pub format: Option<&'a str>,
    /// In formats with one value: the name of the column; none: the default one.
    pub column: Option<&'a str>,
    /// The order of calls, for formats that keep it.
    pub timeline: Option<&'a Timeline>,
    /// Labels for all threads, as in [`Profile::with_labels`].
    pub labels: Option<&'a str>,
    /// In pprof, folded and perfview: at most so many stacks; the smallest are charged to their
    /// callers. 0: all.
    pub most_stacks: usize,
    /// [`to_bytes_with`](Profile::to_bytes_with): compress. Files are if their name says so.
    pub gzip: bool,
    /// Do not wait until the file is on the disk.
    pub no_sync: bool,
    /// Gets a line on whatever the format cannot keep.
    pub warnings: Option<&'a mut Vec<String>>,
}

/// A format of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// "pprof", "speedscope", "folded", ...
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// Whether it can be read.
    pub reads: bool,
    /// Whether it can be written.
    pub writes: bool,
    /// Whether it is written from a [`Timeline`] alone.
    pub needs_timeline: bool,
}

/// The formats that there are.
///
/// ```
/// assert!(tollprof::formats().any(|format| format.name == "pprof" && format.reads));
/// ```
pub fn formats() -> impl Iterator<Item = Format> {
    (0..).map_while(|i| {
        // SAFETY: NULL after the last one; formats are static.
        let format = unsafe { sys::toll_format_at(i).as_ref()? };
        Some(Format {
            // SAFETY: as above.
            name: unsafe { from_c(format.name) },
            // SAFETY: as above.
            title: unsafe { from_c(format.title) },
            reads: format.reads != 0,
            writes: format.writes != 0,
            needs_timeline: format.needs_timeline != 0,
        })
    })
}

unsafe extern "C" fn warn(user: *mut c_void, text: *const c_char) {
    let warnings = &mut *user.cast::<Vec<String>>();
    warnings.push(CStr::from_ptr(text).to_string_lossy().into_owned());
}

/// Have warnings collected. They must live as long as the options are used.
fn collect(options: &mut sys::toll_format_options, warnings: Option<&mut Vec<String>>) {
    if let Some(list) = warnings {
        options.warn = Some(warn);
        options.warn_user = (list as *mut Vec<String>).cast();
    }
}

impl Profile {
    // SAFETY: as in profile.rs; options and what they point to live as long as the call.

    /// Read a file of any format, compressed or not, or a folder with register traces of Solana.
    pub fn read(path: impl AsRef<Path>) -> Result<Profile> {
        Profile::read_with(path, ReadOptions::default())
    }

    /// The same with options.
    pub fn read_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<Profile> {
        let (path, format) = (text::path(path.as_ref())?, Optional::of(options.format)?);
        options.read(|raw, timeline| {
            made(|out, err| unsafe {
                let path = path.as_ptr();
                sys::toll_profile_load(null(), path, format.as_ptr(), raw, timeline, out, err)
            })
        })
    }

    /// Read what a file contains. Messages call it `name`.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Profile> {
        Profile::from_bytes_with(bytes, name, ReadOptions::default())
    }

    /// The same with options.
    pub fn from_bytes_with(bytes: &[u8], name: &str, options: ReadOptions) -> Result<Profile> {
        struct Input(NonNull<sys::toll_input>);
        impl Drop for Input {
            fn drop(&mut self) {
                // SAFETY: no other code has it.
                unsafe { sys::toll_input_free(self.0.as_ptr()) }
            }
        }
        let (name, format) = (to_c(name)?, Optional::of(options.format)?);
        // SAFETY: the bytes are borrowed longer than the input is used.
        let input = made(|out, err| unsafe {
            let (data, size) = (bytes.as_ptr().cast(), bytes.len());
            sys::toll_input_from_memory(null(), data, size, name.as_ptr(), out, err)
        });
        let input = Input(input?);
        options.read(|raw, timeline| {
            made(|out, err| unsafe {
                let input = input.0.as_ptr();
                sys::toll_profile_read(input, format.as_ptr(), raw, timeline, out, err)
            })
        })
    }

    /// Write it to a file, in the format of its name: `.pb.gz`, `.speedscope.json`, `.folded`, ...
    /// The file is there whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_with(path, WriteOptions::default())
    }

    /// The same with options.
    pub fn save_with(&self, path: impl AsRef<Path>, options: WriteOptions) -> Result<()> {
        let (path, format) = (text::path(path.as_ref())?, Optional::of(options.format)?);
        options.with_c(|raw, timeline| {
            check(|err| unsafe {
                let (own, path) = (self.as_ptr(), path.as_ptr());
                sys::toll_profile_save_as(own, timeline, path, format.as_ptr(), raw, err)
            })
        })
    }

    /// Hold it to rules of a budget, such as `ticks  parse  <= 1_204_331`, by the command `toll`,
    /// which must be on the PATH.
    ///
    /// # Panics
    /// If a rule fails, or is none: with the message of `toll check`, which names the stacks in
    /// which the cost is.
    #[track_caller]
    pub fn assert_budget(&self, rules: &[&str]) {
        crate::budget::assert_budget(rules, |path| self.save(path));
    }

    /// What a file of that format would contain.
    pub fn to_bytes(&self, format: &str) -> Result<Vec<u8>> {
        self.to_bytes_with(WriteOptions { format: Some(format), ..WriteOptions::default() })
    }

    /// The same with options; without a format: pprof.
    pub fn to_bytes_with(&self, options: WriteOptions) -> Result<Vec<u8>> {
        let (format, gzip) = (to_c(options.format.unwrap_or("pprof"))?, options.gzip);
        options.with_c(|raw, timeline| {
            to_memory(gzip, |out, err| unsafe {
                sys::toll_profile_write(self.as_ptr(), timeline, format.as_ptr(), raw, out, err)
            })
        })
    }

    /// The same for a format of text: "folded", "speedscope", "callgrind", ...
    pub fn to_text(&self, format: &str) -> Result<String> {
        String::from_utf8(self.to_bytes(format)?)
            .map_err(|_| Error::new(Status::Unsupported, format!("{format} is not text")))
    }
}

impl ReadOptions<'_> {
    /// Read with these options as C has them; the timeline goes where they say.
    fn read(
        self,
        read: impl FnOnce(
            &sys::toll_format_options,
            *mut *mut sys::toll_timeline,
        ) -> Result<NonNull<sys::toll_profile>>,
    ) -> Result<Profile> {
        let mut raw = sys::toll_format_options { strict: self.strict.into(), ..Default::default() };
        collect(&mut raw, self.warnings);
        let mut timeline = null_mut();
        let wanted = if self.timeline.is_some() { &mut timeline } else { null_mut() };
        let profile = read(&raw, wanted).map(Profile::of)?;
        if let Some(place) = self.timeline {
            *place = NonNull::new(timeline).map(Timeline::of);
        }
        Ok(profile)
    }
}

impl WriteOptions<'_> {
    /// Call a function with these options and the timeline as C has them.
    fn with_c<T>(
        self,
        call: impl FnOnce(&sys::toll_format_options, *const sys::toll_timeline) -> Result<T>,
    ) -> Result<T> {
        let (column, labels) = (Optional::of(self.column)?, Optional::of(self.labels)?);
        let mut raw = sys::toll_format_options {
            value: column.as_ptr(),
            labels: labels.as_ptr(),
            most_stacks: self.most_stacks,
            no_sync: self.no_sync.into(),
            ..Default::default()
        };
        collect(&mut raw, self.warnings);
        call(&raw, self.timeline.map_or(null(), |timeline| timeline.as_ptr()))
    }
}
