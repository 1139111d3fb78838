//! Frames: functions, sections and the like, as they appear in stacks.

use {
    crate::{
        text::{from_c, to_c},
        Result,
    },
    std::ffi::CString,
    toll_sys as sys,
};

/// What a frame is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A function of the guest language.
    #[default]
    Function,
    /// A function of the host, called by the guest.
    Native,
    /// A named part of a run.
    Section,
    /// A step of the machine itself: decode, link, init.
    Phase,
    /// A function whose code the compiler put into its caller's: its calls are not counted.
    Inlined,
    /// A program that the machine runs by its name.
    Program,
}

impl Kind {
    fn of(kind: sys::toll_frame_kind) -> Kind {
        match kind {
            sys::TOLL_KIND_NATIVE => Kind::Native,
            sys::TOLL_KIND_SECTION => Kind::Section,
            sys::TOLL_KIND_PHASE => Kind::Phase,
            sys::TOLL_KIND_INLINED => Kind::Inlined,
            sys::TOLL_KIND_PROGRAM => Kind::Program,
            _ => Kind::Function,
        }
    }

    fn to_c(self) -> sys::toll_frame_kind {
        match self {
            Kind::Function => sys::TOLL_KIND_FUNCTION,
            Kind::Native => sys::TOLL_KIND_NATIVE,
            Kind::Section => sys::TOLL_KIND_SECTION,
            Kind::Phase => sys::TOLL_KIND_PHASE,
            Kind::Inlined => sys::TOLL_KIND_INLINED,
            Kind::Program => sys::TOLL_KIND_PROGRAM,
        }
    }
}

/// A frame of a [`Recorder`](crate::Recorder) or [`Profile`](crate::Profile), and valid for that
/// one alone: another one has no such frame, or another frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct FrameId(pub(crate) sys::toll_frame_id);

/// A function, and perhaps a place within it: the line, or the address, to which costs belong.
/// Unknown texts are empty, unknown numbers 0.
///
/// Name, file, line and kind identify the function; frames are the same if function and place are
/// the same. The other fields are facts about the function.
///
/// ```
/// use tollprof::{Frame, Kind};
///
/// let fib = Frame::new("fib").defined_in("demo.tiny", 10);
/// let print = Frame { kind: Kind::Native, ..Frame::new("print") };
/// assert_eq!((fib.line, print.file), (10, ""));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame<'a> {
    /// As people write it.
    pub name: &'a str,
    /// The file of its definition.
    pub file: &'a str,
    /// The line of its definition.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
    /// The name that the linker has, such as `_ZN4core3fmtE`; empty: the same as `name`.
    pub system_name: &'a str,
    /// The file that holds its code, such as `app.wasm`.
    pub module: &'a str,
    /// Which build of the module that is, in hexadecimal digits.
    pub build_id: &'a str,
    /// Where the function's code begins, in the module's own count.
    pub address: u64,
    /// The place: a line of `at_file`.
    pub at_line: u32,
    /// The place: an address in the module.
    pub at_address: u64,
    /// The file of `at_line`, where it is another than `file`.
    pub at_file: &'a str,
}

impl<'a> Frame<'a> {
    /// A function of that name, of which nothing else is known.
    pub fn new(name: &'a str) -> Frame<'a> {
        Frame { name, ..Frame::default() }
    }

    /// The same with the place of its definition.
    pub fn defined_in(self, file: &'a str, line: u32) -> Frame<'a> {
        Frame { file, line, ..self }
    }

    /// The same function at a line of its file: see [`Recorder::line`](crate::Recorder::line).
    pub fn at(self, line: u32) -> Frame<'a> {
        Frame { at_line: line, ..self }
    }

    /// # Safety
    /// The texts of `frame` live as long as `'a`.
    pub(crate) unsafe fn of(frame: sys::toll_frame) -> Frame<'a> {
        Frame {
            name: from_c(frame.name),
            file: from_c(frame.file),
            line: frame.line,
            kind: Kind::of(frame.kind),
            system_name: from_c(frame.system_name),
            module: from_c(frame.module),
            build_id: from_c(frame.build_id),
            address: frame.address,
            at_line: frame.at_line,
            at_address: frame.at_address,
            at_file: from_c(frame.at_file),
        }
    }

    /// Call a function with this frame as C has it.
    pub(crate) fn with_c<T>(&self, call: impl FnOnce(&sys::toll_frame) -> Result<T>) -> Result<T> {
        let texts =
            [self.name, self.file, self.system_name, self.module, self.build_id, self.at_file];
        let texts: Vec<CString> = texts.into_iter().map(to_c).collect::<Result<_>>()?;
        call(&sys::toll_frame {
            name: texts[0].as_ptr(),
            file: texts[1].as_ptr(),
            line: self.line,
            kind: self.kind.to_c(),
            system_name: texts[2].as_ptr(),
            module: texts[3].as_ptr(),
            build_id: texts[4].as_ptr(),
            address: self.address,
            at_line: self.at_line,
            at_address: self.at_address,
            at_file: texts[5].as_ptr(),
        })
    }
}
