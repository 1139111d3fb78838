//! An instance of toll.wasm in a store: calls what toll/embedder.h describes.

use crate::{output::Output, Clock};
use std::{
    sync::{Arc, Mutex, Weak},
    time::Instant,
};
use wasmtime::{
    AsContextMut, Caller, Engine, Error, Extern, ExternType, FuncType, Instance, Memory, Module,
    Result, Store, StoreContextMut, Val, WasmParams, WasmResults,
};

pub const TOLL_WASM: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/toll.wasm"));

const VERSION: u32 = 1; // of the interface
const OUTPUT: i32 = 3; // a descriptor
const DONE: i32 = 0; // these three are of WASI
const FAILED: i32 = 29;
const NOT_SUPPORTED: i32 = 52;

/// What the descriptor OUTPUT is, and why it could not be written.
#[derive(Default)]
struct Sink {
    output: Option<Output>,
    error: Option<Error>,
}

pub struct Library {
    pub instance: Instance,
    memory: Memory,
    sink: Arc<Mutex<Sink>>,
    alive: Weak<()>,
}

/// A store for toll.wasm alone, in which neither fuel nor an epoch ends its work.
pub fn own_store(engine: &Engine) -> Store<()> {
    let mut store = Store::new(engine, ());
    let _ = store.set_fuel(u64::MAX); // fails where the engine counts none
    store.set_epoch_deadline(1 << 62);
    store
}

fn number(memory: &[u8], at: usize) -> Option<usize> {
    let bytes = memory.get(at..)?.get(..4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

/// fd_write, without the last thing that it does: how many bytes were written.
fn write(sink: &mut Sink, memory: &[u8], pieces: usize, count: usize) -> Option<usize> {
    let mut sum = 0;
    for at in (pieces..).step_by(8).take(count) {
        let (start, size) = (number(memory, at)?, number(memory, at + 4)?);
        let piece = memory.get(start..)?.get(..size)?;
        if let Err(error) = sink.output.as_mut()?.write(piece) {
            sink.error = Some(error.into());
            return None;
        }
        sum += size;
    }
    Some(sum)
}

fn fd_write<T>(
    mut caller: Caller<'_, T>,
    sink: &Mutex<Sink>,
    pieces: u32,
    count: u32,
    written: u32,
) -> i32 {
    let Some(memory) = caller.get_export("memory").and_then(Extern::into_memory) else {
        return FAILED;
    };
    let memory = memory.data_mut(&mut caller);
    let sum = write(&mut sink.lock().unwrap(), memory, pieces as usize, count as usize);
    match (sum, memory.get_mut(written as usize..).and_then(|rest| rest.get_mut(..4))) {
        (Some(sum), Some(to)) => to.copy_from_slice(&(sum as u32).to_le_bytes()),
        _ => return FAILED,
    }
    DONE
}

/// The clock, as toll.wasm imports it: nanoseconds since now.
fn clock<T: 'static>(store: &mut StoreContextMut<'_, T>, clock: &Clock) -> wasmtime::Func {
    match clock {
        Clock::None => wasmtime::Func::wrap(store, || 0f64),
        Clock::Monotonic => {
            let began = Instant::now();
            wasmtime::Func::wrap(store, move || began.elapsed().as_nanos() as f64)
        }
        Clock::Function(now) => {
            let now = now.clone();
            let began = now();
            wasmtime::Func::wrap(store, move || now().saturating_sub(began) as f64)
        }
    }
}

impl Library {
    pub fn new<T: 'static>(
        store: &mut StoreContextMut<'_, T>,
        toll: &Module,
        time: &Clock,
    ) -> Result<Library> {
        let sink = Arc::new(Mutex::new(Sink::default()));
        let token = Arc::new(()); // lives as long as the functions of the store do
        let alive = Arc::downgrade(&token);
        let mut imports: Vec<Extern> = Vec::new();
        for import in toll.imports() {
            let function = match (import.name(), import.ty()) {
                ("now", _) => clock(store, time),
                ("fd_write", _) => {
                    let (sink, token) = (sink.clone(), token.clone());
                    wasmtime::Func::wrap(
                        &mut *store,
                        move |caller: Caller<'_, T>,
                              _fd: i32,
                              pieces: u32,
                              count: u32,
                              written: u32| {
                            let _ = &token;
                            fd_write(caller, &sink, pieces, count, written)
                        },
                    )
                }
                (_, ExternType::Func(function)) => not_supported(store, function),
                _ => return Err(Error::msg("toll: toll.wasm imports what is no function")),
            };
            imports.push(function.into());
        }
        let instance = Instance::new(&mut *store, toll, &imports)?;
        let memory = instance.get_memory(&mut *store, "memory");
        let memory = memory.ok_or_else(|| Error::msg("toll: toll.wasm has no memory"))?;
        let library = Library { instance, memory, sink, alive };
        library.call::<(), ()>(&mut *store, "_initialize", ())?;
        match library.call::<(), u32>(&mut *store, "interface", ())? {
            VERSION => Ok(library),
            other => {
                Err(Error::msg(format!("toll: toll.wasm has interface {other}, not {VERSION}")))
            }
        }
    }

    /// Does the store exist in which this is?
    pub fn is_alive(&self) -> bool {
        self.alive.strong_count() > 0
    }

    pub fn call<P: WasmParams, R: WasmResults>(
        &self,
        store: impl AsContextMut,
        name: &str,
        args: P,
    ) -> Result<R> {
        let mut store = store;
        self.instance.get_typed_func::<P, R>(&mut store, name)?.call(&mut store, args)
    }

    /// Call an export that returns a status. The blocks are copied into toll.wasm's memory meanwhile;
    /// `work` gets their addresses.
    pub fn check<T: 'static, P: WasmParams, const N: usize>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        name: &str,
        blocks: [&[u8]; N],
        args: impl FnOnce([u32; N]) -> P,
    ) -> Result<()> {
        match self.with::<T, P, i32, N>(store, name, blocks, args)? {
            0 => Ok(()),
            _ => Err(self.error(store)),
        }
    }

    /// The same of an export that returns something else.
    pub fn with<T: 'static, P: WasmParams, R: WasmResults, const N: usize>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        name: &str,
        blocks: [&[u8]; N],
        args: impl FnOnce([u32; N]) -> P,
    ) -> Result<R> {
        let mut at = [0; N];
        for (at, block) in at.iter_mut().zip(blocks) {
            let size = u32::try_from(block.len()).map_err(|_| no_memory())?;
            *at = self.call(&mut *store, "alloc", size)?;
            if *at == 0 {
                return Err(no_memory());
            }
            self.memory.write(&mut *store, *at as usize, block)?;
        }
        let result = self.call(&mut *store, name, args(at))?;
        for at in at {
            self.call::<u32, ()>(&mut *store, "release", at)?;
        }
        Ok(result)
    }

    pub fn error<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Error {
        if let Some(error) = self.sink.lock().unwrap().error.take() {
            return error;
        }
        match self.bytes(store, "error_text", "error_size") {
            Ok(text) => Error::msg(format!("toll: {}", String::from_utf8_lossy(&text))),
            Err(error) => error,
        }
    }

    pub fn result<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<Vec<u8>> {
        self.bytes(store, "result", "result_size")
    }

    fn bytes<T: 'static>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        at: &str,
        size: &str,
    ) -> Result<Vec<u8>> {
        let at = self.call::<(), u32>(&mut *store, at, ())? as usize;
        let size = self.call::<(), u32>(&mut *store, size, ())? as usize;
        let bytes = self.memory.data(&*store).get(at..).and_then(|rest| rest.get(..size));
        Ok(bytes.ok_or_else(no_memory)?.to_vec())
    }

    /// Have toll.wasm write a profile.
    pub fn write<T: 'static>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: &Written,
        to: Output,
    ) -> Result<Output> {
        *self.sink.lock().unwrap() = Sink { output: Some(to), error: None };
        let done = match *what {
            Written::Profile { format, value } => self.check(
                store,
                "profile",
                [&c_string(format)?, &c_string(value)?],
                |[format, value]| (OUTPUT, format, value, 0),
            ),
            Written::Report { value, rows, form } => {
                self.check(store, "report", [&c_string(value)?], |[value]| {
                    (OUTPUT, value, rows, form as i32)
                })
            }
        };
        let output = self.sink.lock().unwrap().output.take();
        done?;
        output.ok_or_else(|| Error::msg("toll: the profile is being written already"))
    }

    /// Add the profile of another one, which may be in another store.
    pub fn add<T: 'static>(&self, store: &mut StoreContextMut<'_, T>, pprof: &[u8]) -> Result<()> {
        self.check(store, "add", [pprof], |[at]| (at, pprof.len() as u32))
    }
}

/// What can be written of a recording.
#[derive(Clone, Copy)]
pub enum Written<'a> {
    Profile { format: &'a str, value: &'a str },
    Report { value: &'a str, rows: u32, form: Form },
}

/// Of a report.
#[derive(Clone, Copy)]
pub enum Form {
    Top,
    Tree,
}

pub const PPROF: Written = Written::Profile { format: "pprof", value: "" };

fn not_supported<T: 'static>(
    store: &mut StoreContextMut<'_, T>,
    function: FuncType,
) -> wasmtime::Func {
    wasmtime::Func::new(store, function, |_, _, results| {
        results[0] = Val::I32(NOT_SUPPORTED);
        Ok(())
    })
}

fn no_memory() -> Error {
    Error::msg("toll: there is no memory")
}

pub fn c_string(text: &str) -> Result<Vec<u8>> {
    match text.contains('\0') {
        true => Err(Error::msg(format!("toll: there is a NUL in {text:?}"))),
        false => Ok([text.as_bytes(), b"\0"].concat()),
    }
}
