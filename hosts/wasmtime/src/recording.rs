//! The recording of one instance of a guest: an instance of toll.wasm beside it, in the same store.

use crate::{
    library::{Library, Written, PPROF},
    output::Output,
    Clock,
};
use std::{
    any::TypeId,
    panic::{catch_unwind, resume_unwind, AssertUnwindSafe},
    sync::{
        atomic::{AtomicU32, Ordering::Relaxed},
        Arc, Mutex, OnceLock,
    },
    time::SystemTime,
};
use wasmtime::{
    AsContext, Func, Global, Instance, InstancePre, Linker, Module, Result, StoreContextMut, Val,
};

// Of toll/embedder.h.
pub const RECORD_TIME: u32 = 2;
const CALL_LINES: u32 = 1 << 18;
const COUNTERS_OF_PAGE: u32 = 64;

/// An instrumented module, and how it is recorded.
pub struct Guest {
    pub toll: Module,
    pub module: Module,
    pub section: Vec<u8>,
    pub flags: u32,
    pub depth: u32,
    pub clock: Clock,
}

/// What identifies a store while it exists: where its data are, and of which type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StoreId(usize, TypeId);

impl StoreId {
    pub fn of<T: 'static>(store: impl AsContext<Data = T>) -> StoreId {
        StoreId(store.as_context().data() as *const T as usize, TypeId::of::<T>())
    }
}

/// The recordings in a store, and how many calls into their guests are under way there.
pub struct Recordings {
    pub store: StoreId,
    open: AtomicU32,
    pub all: Mutex<Vec<Arc<Recording>>>,
}

impl Recordings {
    pub fn new(store: StoreId) -> Recordings {
        Recordings { store, open: AtomicU32::new(0), all: Mutex::default() }
    }

    /// Does the store exist?
    pub fn are_alive(&self) -> bool {
        self.all.lock().unwrap().first().is_none_or(|first| first.library.is_alive())
    }

    /// Call into a guest. If that fails, by a trap, an exit, a panic, the functions that it has left are
    /// closed: those of all instances in the store, if this is the outermost call there.
    pub fn guarded<T: 'static, R>(
        &self,
        recording: &Recording,
        store: &mut StoreContextMut<'_, T>,
        work: impl FnOnce(&mut StoreContextMut<'_, T>) -> Result<R>,
    ) -> Result<R> {
        let is_outermost = self.open.load(Relaxed) == 0;
        let before = if is_outermost { 0 } else { recording.depth(store)? };
        self.open.fetch_add(1, Relaxed);
        let result = catch_unwind(AssertUnwindSafe(|| work(store)));
        self.open.fetch_sub(1, Relaxed);
        if !matches!(result, Ok(Ok(_))) {
            if is_outermost {
                for each in &*self.all.lock().unwrap() {
                    each.unwind(store, before)?;
                }
            } else {
                recording.unwind(store, before)?;
            }
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// What an instrumented module exports for its host.
#[derive(Default)]
struct Exports {
    ticks: Option<Global>,
    pending: Option<Global>,
    pending_ticks: Option<Global>,
    place: Option<Global>,
    executions: Option<Func>,
}

pub struct Recording {
    pub library: Library,
    has_places: bool,
    exports: OnceLock<Exports>, // of the instance, once there is one
}

impl Recording {
    pub fn new<T: 'static>(guest: &Guest, store: &mut StoreContextMut<'_, T>) -> Result<Recording> {
        let library = Library::new(store, &guest.toll, &guest.clock)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        library
            .check(store, "begin", [], |[]| (guest.flags, guest.depth, now.as_nanos() as i64))?;
        library
            .check(store, "module", [&guest.section], |[at]| (at, guest.section.len() as u32))?;
        library.call::<u64, ()>(&mut *store, "next_instance", 0)?;
        Ok(Recording {
            library,
            has_places: guest.flags & CALL_LINES != 0,
            exports: OnceLock::new(),
        })
    }

    /// The guest with its imports: the linker's, and events.
    pub fn linked<T: 'static>(
        &self,
        guest: &Guest,
        store: &mut StoreContextMut<'_, T>,
        linker: &Linker<T>,
    ) -> Result<InstancePre<T>> {
        let mut linker = linker.clone();
        linker.allow_shadowing(true);
        for import in guest.module.imports().filter(|import| import.module() == "toll") {
            let is_placed =
                self.has_places && ["enter", "leave", "settle"].contains(&import.name());
            let name = format!("{}{}", import.name(), if is_placed { "_placed" } else { "" });
            let event = self.library.instance.get_export(&mut *store, &name);
            let event = event.ok_or_else(|| {
                wasmtime::Error::msg(format!(
                    "toll: the module imports toll.{name}, which there is not"
                ))
            })?;
            linker.define(&*store, "toll", import.name(), event)?;
        }
        linker.instantiate_pre(&guest.module)
    }

    /// Make the instance. Its start function may run, and fail.
    pub fn instantiate<T: 'static>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        guest: &InstancePre<T>,
    ) -> Result<Instance> {
        let instance = guest.instantiate(&mut *store)?;
        let mut global = |name| instance.get_global(&mut *store, name);
        let exports = Exports {
            ticks: global("toll:ticks"),
            pending: global("toll:pending"),
            pending_ticks: global("toll:pending_ticks"),
            place: global("toll:place"),
            executions: instance.get_func(&mut *store, "toll:executions"),
        };
        self.exports.get_or_init(|| exports);
        self.library.call::<i32, ()>(&mut *store, "settles", 1)?;
        Ok(instance)
    }

    /// Deliver the pending event.
    fn settle<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<()> {
        let Some(Exports { pending: Some(pending), pending_ticks: Some(then), .. }) =
            self.exports.get()
        else {
            return Ok(());
        };
        let then = then.get(&mut *store).unwrap_i64();
        let next = match pending.get(&mut *store) {
            Val::I32(event) if event as u32 > 1 => {
                Val::I32(self.library.call(&mut *store, "settle", (event, then))?)
            }
            Val::I64(event) if event as u64 > 1 => {
                Val::I64(self.library.call(&mut *store, "settle_placed", (event, then))?)
            }
            _ => return Ok(()),
        };
        pending.set(&mut *store, next)
    }

    /// Those that the instance has counted; while it is being made, those of its last event.
    pub fn ticks<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<u64> {
        self.settle(store)?;
        match self.exports.get() {
            Some(exports) => {
                Ok(exports.ticks.map_or(0, |ticks| ticks.get(&mut *store).unwrap_i64() as u64))
            }
            None => self.library.call(&mut *store, "ticks", ()),
        }
    }

    fn depth<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<u32> {
        self.settle(store)?;
        self.library.call(&mut *store, "depth", ())
    }

    fn unwind<T: 'static>(&self, store: &mut StoreContextMut<'_, T>, depth: u32) -> Result<()> {
        let place = self.exports.get().and_then(|exports| exports.place);
        if let (Some(place), true) = (place, self.depth(store)? > depth) {
            place.set(&mut *store, Val::I32(0))?;
        }
        let ticks = self.ticks(store)?;
        self.library.call(&mut *store, "unwind", (depth, ticks))
    }

    /// What was recorded so far, as a profile or a report. Its time is not charged.
    pub fn write<T: 'static>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: &Written,
        to: Output,
    ) -> Result<Output> {
        let ticks = self.ticks(store)?;
        self.library.call::<u64, ()>(&mut *store, "charge", ticks)?;
        self.gather(store)?;
        let result = self.library.write(store, what, to);
        let ticks = self.ticks(store)?;
        self.library.call::<u64, ()>(&mut *store, "pass", ticks)?;
        result
    }

    pub fn pprof<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<Vec<u8>> {
        Ok(self.write(store, &PPROF, Output::Bytes(Vec::new()))?.into_bytes())
    }

    /// Pass on how often each basic block has run.
    fn gather<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<()> {
        let count: u32 = self.library.call(&mut *store, "counters", ())?;
        let Some(executions) = self.exports.get().and_then(|exports| exports.executions) else {
            return Ok(());
        };
        let mut counts = Vec::new();
        let mut page = [const { Val::I64(0) }; COUNTERS_OF_PAGE as usize];
        for number in 0..count.div_ceil(COUNTERS_OF_PAGE) {
            executions.call(&mut *store, &[Val::I32(number as i32)], &mut page)?;
            counts.extend(page.iter().flat_map(|count| count.unwrap_i64().to_le_bytes()));
        }
        self.library.with(store, "executions", [&counts], |[at]| (at, count))
    }
}
