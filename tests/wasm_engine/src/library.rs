//! Uses toll.wasm in wasmtime, like toll.mjs in JavaScript, as far as a profile needs.

use wasmtime::{
    AsContextMut, Caller, Engine, Extern, ExternType, Func, FuncType, Instance, Linker, Memory,
    Module, Store, Val, WasmParams, WasmResults,
};

const WASI: &str = "wasi_snapshot_preview1";
const NONE: i32 = 52;
const WITH_TICKS: u32 = 1;

/// What has been written to the only place that there is.
pub type Written = Vec<u8>;

pub struct Library {
    pub store: Store<Written>,
    pub instance: Instance,
}

fn memory<T>(caller: &mut Caller<'_, T>) -> Memory {
    caller.get_export("memory").and_then(Extern::into_memory).expect("a memory")
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes")) as usize
}

fn fd_write(
    mut caller: Caller<'_, Written>,
    _fd: i32,
    vectors: i32,
    count: i32,
    written: i32,
) -> i32 {
    let (bytes, out) = memory(&mut caller).data_and_store_mut(&mut caller);
    let mut sum = 0;
    for at in (vectors as usize..).step_by(8).take(count as usize) {
        let (start, size) = (number(bytes, at), number(bytes, at + 4));
        out.extend_from_slice(&bytes[start..start + size]);
        sum += size;
    }
    bytes[written as usize..][..4].copy_from_slice(&(sum as u32).to_le_bytes());
    0
}

/// An operating system that has nothing: no files, no variables, no clock.
fn system(store: &mut Store<Written>, name: &str, function: FuncType) -> Func {
    match name {
        "fd_write" => return Func::wrap(store, fd_write),
        "now" => return Func::wrap(store, || 0.0f64),
        _ => {}
    }
    Func::new(store, function, |_, _, results| {
        results[0] = Val::I32(NONE);
        Ok(())
    })
}

impl Library {
    pub fn new(engine: &Engine, toll_wasm: &[u8]) -> wasmtime::Result<Library> {
        let module = Module::new(engine, toll_wasm)?;
        let mut store = Store::new(engine, Written::new());
        let mut linker = Linker::new(engine);
        for import in module.imports() {
            let ExternType::Func(function) = import.ty() else { panic!("not a function") };
            assert!(import.module() == WASI || import.name() == "now", "{}", import.name());
            let function = system(&mut store, import.name(), function);
            linker.define(&mut store, import.module(), import.name(), function)?;
        }
        let instance = linker.instantiate(&mut store, &module)?;
        let mut library = Library { store, instance };
        library.call::<(), ()>("_initialize", ())?;
        Ok(library)
    }

    pub fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &str,
        args: P,
    ) -> wasmtime::Result<R> {
        self.instance.get_typed_func::<P, R>(&mut self.store, name)?.call(&mut self.store, args)
    }

    /// Where a copy of the bytes is.
    fn put(&mut self, bytes: &[u8]) -> wasmtime::Result<u32> {
        let at = self.call::<u32, u32>("alloc", bytes.len() as u32)?;
        let memory = self.instance.get_memory(&mut self.store, "memory").expect("a memory");
        memory.write(self.store.as_context_mut(), at as usize, bytes)?;
        Ok(at)
    }

    fn done(status: i32) {
        assert_eq!(status, 0, "toll.wasm refuses");
    }

    /// A recording of the module that has this section "toll".
    pub fn begin(&mut self, depth: u32, section: &[u8]) -> wasmtime::Result<()> {
        Self::done(self.call("begin", (WITH_TICKS, depth, 0i64))?);
        let at = self.put(section)?;
        Self::done(self.call("module", (at, section.len() as u32))?);
        self.call("next_instance", 0u64)
    }

    /// The profile so far in a format.
    pub fn profile(&mut self, format: &str, value: &str, ticks: u64) -> wasmtime::Result<Written> {
        let format = self.put(format!("{format}\0").as_bytes())?;
        let value = self.put(format!("{value}\0").as_bytes())?;
        self.call::<u64, ()>("charge", ticks)?;
        self.store.data_mut().clear();
        Self::done(self.call("profile", (3, format, value, 0))?);
        Ok(std::mem::take(self.store.data_mut()))
    }
}
