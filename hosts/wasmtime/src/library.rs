//! An instance of toll.wasm in a store: calls the functions of toll/embedder.h.

use crate::{
    calls::Calls,
    clock::StoreClock,
    embedder::{EMBEDDER_VERSION, REPORT_TOP, REPORT_TREE},
    output::Output,
};
use std::sync::{Arc, Mutex, Weak};
use wasmtime::{
    Caller, Engine, Error, Extern, ExternType, FuncType, Instance, Memory, Module, Result, Store,
    StoreContextMut, Val, WasmParams, WasmResults,
};

pub const TOLL_WASM: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/toll.wasm"));

const OUTPUT: i32 = 3; // a file descriptor
const DONE: i32 = 0; // these three are error numbers of WASI
const FAILED: i32 = 29;
const NOT_SUPPORTED: i32 = 52;

/// The destination of the descriptor OUTPUT, and why writing to it has failed.
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

/// A store only for toll.wasm, in which neither fuel nor an epoch ends its work.
pub fn own_store(engine: &Engine) -> Store<()> {
    let mut store = Store::new(engine, ());
    let _ = store.set_fuel(u64::MAX); // fails if the engine counts no fuel
    store.set_epoch_deadline(1 << 62);
    store
}

fn number(memory: &[u8], at: usize) -> Option<usize> {
    let bytes = memory.get(at..)?.get(..4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

/// fd_write, except that the caller stores the result: how many bytes were written.
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

/// The clock, as toll.wasm imports it.
fn read<T: 'static>(store: &mut StoreContextMut<'_, T>, clock: &Arc<StoreClock>) -> wasmtime::Func {
    let clock = clock.clone();
    wasmtime::Func::wrap(store, move || clock.read() as f64)
}

impl Library {
    pub async fn new<T: 'static, H: Calls<T>>(
        store: &mut StoreContextMut<'_, T>,
        toll: &Module,
        clock: &Arc<StoreClock>,
    ) -> Result<Library> {
        let sink = Arc::new(Mutex::new(Sink::default()));
        let token = Arc::new(()); // lives as long as the functions of the store: see is_alive
        let alive = Arc::downgrade(&token);
        let mut imports: Vec<Extern> = Vec::new();
        for import in toll.imports() {
            let function = match (import.name(), import.ty()) {
                ("now", _) => read(store, clock),
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
        let instance = H::instance(store, toll, &imports).await?;
        let memory = instance.get_memory(&mut *store, "memory");
        let memory = memory.ok_or_else(|| Error::msg("toll: toll.wasm has no memory"))?;
        let library = Library { instance, memory, sink, alive };
        library.call::<T, H, (), ()>(store, "_initialize", ()).await?;
        match library.call::<T, H, (), u32>(store, "interface", ()).await? {
            EMBEDDER_VERSION => Ok(library),
            other => Err(Error::msg(format!(
                "toll: toll.wasm has interface {other}, not {EMBEDDER_VERSION}"
            ))),
        }
    }

    /// Does the library's store still exist?
    pub fn is_alive(&self) -> bool {
        self.alive.strong_count() > 0
    }

    pub async fn call<T: 'static, H: Calls<T>, P, R>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        name: &str,
        args: P,
    ) -> Result<R>
    where
        P: WasmParams + Sync,
        R: WasmResults + Sync,
    {
        let function = self.instance.get_typed_func::<P, R>(&mut *store, name)?;
        H::call(&function, store, args).await
    }

    /// Call an export that returns a status. The blocks are copied to toll.wasm's memory until it
    /// returns; `work` gets their addresses.
    pub async fn check<T: 'static, H: Calls<T>, P: WasmParams + Sync, const N: usize>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        name: &str,
        blocks: [&[u8]; N],
        args: impl FnOnce([u32; N]) -> P,
    ) -> Result<()> {
        match self.with::<T, H, P, i32, N>(store, name, blocks, args).await? {
            0 => Ok(()),
            _ => Err(self.error::<T, H>(store).await),
        }
    }

    /// The same for an export that returns something else.
    pub async fn with<T: 'static, H: Calls<T>, P, R, const N: usize>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        name: &str,
        blocks: [&[u8]; N],
        args: impl FnOnce([u32; N]) -> P,
    ) -> Result<R>
    where
        P: WasmParams + Sync,
        R: WasmResults + Sync,
    {
        let mut at = [0; N];
        for (at, block) in at.iter_mut().zip(blocks) {
            let size = u32::try_from(block.len()).map_err(|_| no_memory())?;
            *at = self.call::<T, H, u32, u32>(store, "alloc", size).await?;
            if *at == 0 {
                return Err(no_memory());
            }
            self.memory.write(&mut *store, *at as usize, block)?;
        }
        let args = args(at);
        let result = self.call::<T, H, P, R>(store, name, args).await?;
        for at in at {
            self.call::<T, H, u32, ()>(store, "release", at).await?;
        }
        Ok(result)
    }

    pub async fn error<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Error {
        if let Some(error) = self.sink.lock().unwrap().error.take() {
            return error;
        }
        match self.bytes::<T, H>(store, "error_text", "error_size").await {
            Ok(text) => Error::msg(format!("toll: {}", String::from_utf8_lossy(&text))),
            Err(error) => error,
        }
    }

    pub async fn result<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<Vec<u8>> {
        self.bytes::<T, H>(store, "result", "result_size").await
    }

    async fn bytes<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        at: &str,
        size: &str,
    ) -> Result<Vec<u8>> {
        let at = self.call::<T, H, (), u32>(store, at, ()).await? as usize;
        let size = self.call::<T, H, (), u32>(store, size, ()).await? as usize;
        let bytes = self.memory.data(&*store).get(at..).and_then(|rest| rest.get(..size));
        Ok(bytes.ok_or_else(no_memory)?.to_vec())
    }

    /// Let toll.wasm write a profile.
    pub async fn write<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: &Written<'_>,
        to: Output,
    ) -> Result<Output> {
        *self.sink.lock().unwrap() = Sink { output: Some(to), error: None };
        let done = match *what {
            Written::Profile { format, value, in_order } => {
                let texts = [c_string(format)?, c_string(value)?];
                let args = |[format, value]: [u32; 2]| (OUTPUT, format, value, i32::from(in_order));
                self.check::<T, H, _, 2>(store, "profile", [&texts[0], &texts[1]], args).await
            }
            Written::Report { value, rows, form } => {
                let args = |[value]: [u32; 1]| (OUTPUT, value, rows, form as i32);
                self.check::<T, H, _, 1>(store, "report", [&c_string(value)?], args).await
            }
        };
        let output = self.sink.lock().unwrap().output.take();
        done?;
        output.ok_or_else(|| Error::msg("toll: the profile is being written already"))
    }

    /// Add the profile of another instance of toll.wasm, which may be in another store.
    pub async fn add<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        pprof: &[u8],
    ) -> Result<()> {
        self.check::<T, H, _, 1>(store, "add", [pprof], |[at]| (at, pprof.len() as u32)).await
    }
}

/// What can be written of a recording.
#[derive(Clone, Copy)]
pub enum Written<'a> {
    Profile { format: &'a str, value: &'a str, in_order: bool },
    Report { value: &'a str, rows: u32, form: Form },
}

/// The form of a report.
#[derive(Clone, Copy)]
pub enum Form {
    Top = REPORT_TOP as isize,
    Tree = REPORT_TREE as isize,
}

pub const PPROF: Written = Written::Profile { format: "pprof", value: "", in_order: false };

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
