//! A recorder of libtoll (toll/svm_recorder.h).

use {
    crate::{
        programs::Codes,
        wrap::{self, Context},
        Heap, Section,
    },
    solana_program_runtime::{
        execution_budget::SVMTransactionExecutionCost, program_cache_entry::ProgramCacheEntry,
        solana_sbpf::elf::Executable,
    },
    std::{
        env,
        ffi::{c_char, c_void, CStr, CString},
        path::{Path, PathBuf},
        ptr::{null, null_mut, NonNull},
        sync::{Arc, Once},
    },
    toll_sys as sys,
    tollprof::{check, Error, Profile},
};

/// The registers of an instruction that has run.
pub(crate) type Registers = [u64; 12];

pub(crate) struct Recorder {
    raw: *mut sys::toll_svm_recorder,
    lines: *mut Vec<String>, // what libtoll logs, through the same pointer
    _texts: Vec<CString>,    // of the options, which libtoll borrows
    /// The frames of system calls, by their number ([`crate::wrap`]); TOLL_NONE: not added yet.
    syscalls: Vec<sys::toll_frame_id>,
    codes: Codes,
    costs: Option<SVMTransactionExecutionCost>, // of the last transaction
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: no other code has them.
        unsafe {
            sys::toll_svm_recorder_free(self.raw);
            drop(Box::from_raw(self.lines));
        }
    }
}

// SAFETY: libtoll has no state of a thread's own.
unsafe impl Send for Recorder {}

/// The results of an invocation's sections.
pub(crate) struct Ended {
    pub sections: Vec<Section>,
    pub left_open: Vec<Section>,
}

/// A call of a syscall of sections.
pub(crate) struct Call<'a> {
    pub is_end: bool,
    pub id: &'a [u8],
    /// The size that the program passed: ids beyond the limit are not read.
    pub id_size: u64,
    pub heap_value: u64,
    pub tracks_heap: u64,
}

/// Translate an address: `memory` is the id itself.
extern "C" fn translate(memory: *mut c_void, _address: u64, _size: u64) -> *const c_void {
    memory
}

extern "C" fn log_line(user: *mut c_void, line: *const c_char, size: usize) {
    // SAFETY: `user` is Recorder.lines, and libtoll's lines are `size` bytes long.
    let (lines, line) = unsafe {
        (&mut *user.cast::<Vec<String>>(), std::slice::from_raw_parts(line.cast::<u8>(), size))
    };
    lines.push(String::from_utf8_lossy(line).into_owned());
}

extern "C" fn warn(_user: *mut c_void, text: *const c_char) {
    // SAFETY: libtoll's texts end with a NUL.
    eprintln!("toll: warning: {}", unsafe { CStr::from_ptr(text) }.to_string_lossy());
}

/// The folder that the variable TOLL_IDL names, or `target/idl` of the current folder or of one
/// around it, where Anchor writes IDLs.
fn idl_folder() -> Option<PathBuf> {
    if let Some(named) = env::var_os("TOLL_IDL").filter(|named| !named.is_empty()) {
        static SAID: Once = Once::new();
        let named = PathBuf::from(named);
        if !named.exists() {
            SAID.call_once(|| {
                eprintln!("toll: warning: TOLL_IDL is left out: there is no {}", named.display())
            });
            return None;
        }
        return Some(named);
    }
    let current = env::current_dir().ok()?;
    current.ancestors().map(|folder| folder.join("target/idl")).find(|folder| folder.is_dir())
}

fn text(path: &Path) -> Option<CString> {
    CString::new(path.to_str()?).ok()
}

/// # Safety
/// `sections` are `count` results of libtoll.
unsafe fn copy(sections: *const sys::toll_section, count: usize) -> Vec<Section> {
    let slice = if count == 0 { &[] } else { std::slice::from_raw_parts(sections, count) };
    let copy_one = |s: &sys::toll_section| Section {
        id: std::slice::from_raw_parts(s.id.cast::<u8>(), s.id_size).to_vec(),
        total: s.total,
        net: s.net,
        heap: (s.has_heap != 0).then_some(Heap {
            total: s.heap_total,
            net: s.heap_net,
            remaining: s.heap_remaining,
        }),
    };
    slice.iter().map(copy_one).collect()
}

impl Recorder {
    // In all functions: SAFETY: the recorder lives as long as this, the other arguments as long as
    // the call, and libtoll copies what it keeps.

    pub(crate) fn new() -> Recorder {
        let lines = Box::into_raw(Box::<Vec<String>>::default());
        let syscalls = sys::toll_svm_options {
            translate: Some(translate),
            log: Some(log_line),
            log_user: lines.cast(),
            tracks_heap: sys::TOLL_SVM_TRACKS_HEAP,
            ..Default::default()
        };
        let project = CString::from(c".");
        let idls = idl_folder().and_then(|folder| text(&folder));
        let idl = sys::toll_program_file {
            program_id: null(),
            path: idls.as_ref().map_or(null(), |path| path.as_ptr()),
        };
        let programs = sys::toll_solana_options {
            project: project.as_ptr(),
            idls: &idl,
            idl_count: idls.iter().count(),
            lines: env::var_os("TOLL_LINES").is_some_and(|value| value != "0").into(),
            ..Default::default()
        };
        let options = sys::toll_svm_recorder_options {
            syscalls: &syscalls,
            programs: &programs,
            warn: Some(warn),
            ..Default::default()
        };
        let mut raw = null_mut();
        check(|err| unsafe { sys::toll_svm_recorder_create(&options, &mut raw, err) })
            .unwrap_or_else(|error| panic!("toll: {error}"));
        let texts = idls.into_iter().chain([project]).collect();
        Recorder {
            raw,
            lines,
            _texts: texts,
            syscalls: Vec::new(),
            codes: Codes::default(),
            costs: None,
        }
    }

    /// The number of a program, registered if need be.
    pub(crate) fn program(&mut self, address: &str, code: Option<&[u8]>) -> u32 {
        let address = CString::new(address).expect("an address");
        let (text, size) = code.map_or((null(), 0), |code| (code.as_ptr(), code.len()));
        let (raw, address, text) = (self.raw, address.as_ptr(), text.cast());
        let mut out = sys::TOLL_NONE;
        let made = check(|err| unsafe {
            sys::toll_svm_recorder_program(raw, address, text, size, &mut out, err)
        });
        if let Err(error) = made {
            eprintln!("toll: warning: {error}");
        }
        out
    }

    /// The number of a program that is loaded. Without wrapped system calls its instructions would be
    /// seen too late, so it is recorded without its code.
    pub(crate) fn code(
        &mut self,
        entry: &Arc<ProgramCacheEntry>,
        address: &str,
        executable: &Executable<Context>,
    ) -> u32 {
        self.codes.find(entry).unwrap_or_else(|| {
            let (_, code) = executable.get_text_bytes();
            let is_seen = wrap::is_environment(executable.get_loader());
            let number = self.program(address, is_seen.then_some(code));
            if is_seen && number != sys::TOLL_NONE {
                self.constants(number, executable);
            }
            self.codes.add(entry, number);
            number
        })
    }

    /// The constants of a program, by which functions without a name may get one.
    fn constants(&mut self, program: u32, executable: &Executable<Context>) {
        let (raw, data) = (self.raw, executable.get_ro_section());
        let address = executable.get_ro_region().vm_addr_range().start;
        let (start, size) = (data.as_ptr().cast(), data.len());
        let made = check(|err| unsafe {
            sys::toll_svm_recorder_constants(raw, program, start, size, address, err)
        });
        if let Err(error) = made {
            eprintln!("toll: warning: {error}");
        }
    }

    /// An invocation begins. False: there is no such program, for lack of memory.
    pub(crate) fn push(&mut self, program: u32, data: &[u8], heap_units: u64, now: u64) -> bool {
        let invocation = sys::toll_svm_invocation {
            program,
            data: data.as_ptr().cast(),
            data_size: data.len(),
            heap_units,
        };
        let pushed =
            unsafe { sys::toll_svm_recorder_push(self.raw, &invocation, &now, null_mut()) };
        pushed != sys::TOLL_E_ARGUMENT
    }

    /// These instructions have run.
    pub(crate) fn run(&mut self, registers: &[Registers], now: u64) {
        let first = registers.as_ptr().cast();
        unsafe {
            sys::toll_svm_recorder_run(self.raw, first, registers.len(), &now, null_mut());
        }
    }

    pub(crate) fn syscall(&mut self, number: usize, name: &str, now: u64) {
        let raw = self.raw;
        if self.syscalls.len() <= number {
            self.syscalls.resize(number + 1, sys::TOLL_NONE);
        }
        let frame = &mut self.syscalls[number];
        if *frame == sys::TOLL_NONE {
            let name = CString::new(name).expect("a name");
            unsafe { sys::toll_svm_recorder_add_syscall(raw, name.as_ptr(), frame, null_mut()) };
        }
        unsafe { sys::toll_svm_recorder_syscall(raw, *frame, &now) };
    }

    pub(crate) fn syscall_end(&mut self, now: u64) {
        unsafe { sys::toll_svm_recorder_syscall_end(self.raw, &now) };
    }

    /// The innermost invocation ends; `instruction` is its name by its log.
    pub(crate) fn pop(&mut self, failed: bool, instruction: Option<&str>, now: u64) -> Ended {
        let instruction = instruction.and_then(|name| CString::new(name).ok());
        let name = instruction.as_ref().map_or(null(), |name| name.as_ptr());
        let mut results = sys::toll_section_results {
            ended: null(),
            ended_count: 0,
            open: null(),
            open_count: 0,
        };
        let (raw, failed) = (self.raw, failed.into());
        unsafe {
            sys::toll_svm_recorder_pop(raw, failed, name, &now, &mut results, null_mut());
            Ended {
                sections: copy(results.ended, results.ended_count),
                left_open: copy(results.open, results.open_count),
            }
        }
    }

    pub(crate) fn section(&mut self, call: &Call, now: u64) {
        let of_libtoll = sys::toll_svm_call {
            memory: call.id.as_ptr() as *mut c_void,
            id_address: 0,
            id_size: call.id_size,
            heap_value: call.heap_value,
            tracks_heap: call.tracks_heap,
        };
        let function = if call.is_end { sys::toll_svm_end } else { sys::toll_svm_start };
        unsafe { function(sys::toll_svm_recorder_sections(self.raw), &of_libtoll, &now) };
    }

    /// The lines that libtoll has logged since the last call.
    pub(crate) fn take_lines(&mut self) -> Vec<String> {
        // SAFETY: only libtoll's callback has the pointer too, and none is running.
        std::mem::take(unsafe { &mut *self.lines })
    }

    /// A transaction is charged by this table of costs. It is named by a hash of what it has (FNV-1a).
    pub(crate) fn costs(&mut self, costs: SVMTransactionExecutionCost) {
        if self.costs.replace(costs) == Some(costs) {
            return;
        }
        let hash = format!("{costs:?}").bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let name = CString::new(format!("Solana {hash:016x}")).expect("no NUL");
        unsafe { sys::toll_svm_recorder_costs(self.raw, name.as_ptr(), null_mut()) };
    }

    pub(crate) fn note(&mut self, text: &CStr, count: u64) {
        unsafe { sys::toll_svm_recorder_note(self.raw, text.as_ptr(), count, null_mut()) };
    }

    /// What was recorded since the last call.
    pub(crate) fn take(&mut self) -> Result<Profile, Error> {
        let mut profile = null_mut();
        check(|err| unsafe { sys::toll_svm_recorder_take(self.raw, &mut profile, err) })?;
        // SAFETY: it is new.
        Ok(unsafe { Profile::from_raw(NonNull::new(profile).expect("a profile")) })
    }
}

/// Add notes on how functions have their names, to a profile that is about to be written.
pub(crate) fn note_names(profile: &mut Profile) -> Result<(), Error> {
    // SAFETY: the profile lives as long as this, and no other code uses it.
    check(|err| unsafe { sys::toll_svm_note_names(profile.as_ptr(), err) })
}
