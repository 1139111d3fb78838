//! Puts functions of our own around those of the runtime: around system calls, and around the entry
//! points of built-in programs. Every invocation goes through one of these entry points, since the
//! loaders, which run programs, are built-in programs.
//!
//! The runtime has functions as plain pointers, which cannot carry data. So there are as many
//! functions here as there may be of the runtime's, each with a number.

use {
    crate::live,
    solana_program_runtime::{
        invoke_context::InvokeContext,
        solana_sbpf::{
            program::{BuiltinCodegen, BuiltinFunction, BuiltinProgram, JitCompiler},
            vm::EncryptedHostAddressToEbpfVm,
        },
    },
    std::sync::{Mutex, OnceLock},
};

pub(crate) type Context = InvokeContext<'static, 'static>;
pub(crate) type Function = BuiltinFunction<Context>;
pub(crate) type Entry = (Function, BuiltinCodegen<Context>);
type Vm = EncryptedHostAddressToEbpfVm<Context>;

/// What a function of the runtime is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Invocation,
    Syscall,
    /// One of the two syscalls of sections, which are not system calls of the profile.
    Section,
}

/// A function of the runtime.
pub(crate) struct Wrapped {
    pub number: usize,
    pub kind: Kind,
    pub name: String,
    function: Function,
}

const MOST: usize = 256;
static WRAPPED: [OnceLock<Wrapped>; MOST] = [const { OnceLock::new() }; MOST];
static LOCK: Mutex<usize> = Mutex::new(0);

fn call<const N: usize>(vm: Vm, a: u64, b: u64, c: u64, d: u64, e: u64) {
    let wrapped = WRAPPED[N].get().expect("it was registered");
    // SAFETY: it is the same virtual machine, and only one of the references is used at a time.
    let mut same = unsafe { std::ptr::read(&vm) };
    let recorded = unsafe { same.with_vm(|vm| live::before(wrapped, vm)) };
    let inside = live::Inside::enter();
    (wrapped.function)(vm, a, b, c, d, e);
    drop(inside);
    if let Some(transaction) = recorded {
        // SAFETY: as above; the runtime's function has returned.
        unsafe { same.with_vm(|vm| live::after(wrapped, vm, transaction)) };
    }
}

fn codegen<const N: usize>(jit: &mut JitCompiler<Context>) {
    jit.emit_external_call(call::<N>);
}

macro_rules! sixteen {
    ($high:expr) => {
        sixteen!($high; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($high:expr; $($low:literal)*) => {
        [$((call::<{ $high * 16 + $low }> as Function, codegen::<{ $high * 16 + $low }>)),*]
    };
}

static OURS: [[Entry; 16]; MOST / 16] = [
    sixteen!(0),
    sixteen!(1),
    sixteen!(2),
    sixteen!(3),
    sixteen!(4),
    sixteen!(5),
    sixteen!(6),
    sixteen!(7),
    sixteen!(8),
    sixteen!(9),
    sixteen!(10),
    sixteen!(11),
    sixteen!(12),
    sixteen!(13),
    sixteen!(14),
    sixteen!(15),
];

fn ours(number: usize) -> Entry {
    OURS[number / 16][number % 16]
}

fn same(a: Function, b: Function) -> bool {
    std::ptr::fn_addr_eq(a, b)
}

/// Is it one of our functions?
pub(crate) fn is_wrapped(function: Function) -> bool {
    OURS.iter().flatten().any(|(ours, _)| same(*ours, function))
}

/// Our function around `entry`. None: there are too many of them.
pub(crate) fn wrap(kind: Kind, name: &str, entry: Entry) -> Option<Entry> {
    if is_wrapped(entry.0) {
        return Some(entry);
    }
    let mut count = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let known = WRAPPED[..*count].iter().filter_map(OnceLock::get);
    let is_it = |w: &&Wrapped| same(w.function, entry.0) && w.kind == kind && w.name == name;
    if let Some(known) = known.clone().find(is_it) {
        return Some(ours(known.number));
    }
    let number = *count;
    let new = Wrapped { number, kind, name: name.to_string(), function: entry.0 };
    WRAPPED.get(number)?.set(new).ok()?;
    *count += 1;
    Some(ours(number))
}

/// Are all system calls of an environment wrapped, and do its programs leave traces?
pub(crate) fn is_environment(environment: &BuiltinProgram<Context>) -> bool {
    environment.get_config().enable_register_tracing
        && environment.get_function_registry().iter().all(|(_, (_, f))| is_wrapped(f.0))
}

/// Wrap the system calls of an environment, in which programs then leave traces of their registers.
pub(crate) fn environment(environment: &BuiltinProgram<Context>) -> BuiltinProgram<Context> {
    let mut config = environment.get_config().clone();
    config.enable_register_tracing = true;
    let mut new = BuiltinProgram::new_loader(config);
    for (_, (name, entry)) in environment.get_function_registry().iter() {
        let name = String::from_utf8_lossy(name);
        let is_section = name == crate::START || name == crate::END;
        let kind = if is_section { Kind::Section } else { Kind::Syscall };
        let entry = wrap(kind, &name, entry).unwrap_or(entry);
        new.register_function(&name, entry).expect("names are as different as before");
    }
    new
}
