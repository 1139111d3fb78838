//! Records one instance of a guest, with an instance of toll.wasm in the same store.

use crate::{
    calls::Calls,
    clock::StoreClock,
    embedder::{COUNTERS_OF_PAGE, IS_LOST, IS_SETTLED, MODULE_CALL_LINES, RECORD_WINDOWS},
    engine,
    library::{c_string, Library, Written, PPROF},
    output::Output,
    start_time::start_time,
    Clock,
};
use std::sync::{
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    Arc, OnceLock,
};
use wasmtime::{
    Error, Func, Global, Instance, InstancePre, Linker, Module, Result, StoreContextMut, Val,
};

const DROPPED: &str = "calls whose futures were dropped before they returned";
const NO_EXECUTIONS: &str =
    "instances that failed while they were made: the cost of their lines is not known";

/// An instrumented module, and how it is recorded.
pub struct Guest {
    pub toll: Module,
    pub module: Module,
    pub section: Vec<u8>,
    pub flags: u32,
    pub depth: u32,
    pub labels: Vec<Vec<u8>>,
    pub clock: Clock,
}

/// The exports of an instrumented module that are for its host.
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
    exports: OnceLock<Exports>, // of the instance, once it is made
    dropped: AtomicU64,         // dropped calls that no note counts yet
    is_lost: AtomicBool,
}

impl Recording {
    pub async fn new<T: 'static, H: Calls<T>>(
        guest: &Guest,
        store: &mut StoreContextMut<'_, T>,
        clock: &Arc<StoreClock>,
    ) -> Result<Recording> {
        let library = Library::new::<T, H>(store, &guest.toll, clock).await?;
        let begin = (guest.flags, guest.depth, start_time()?);
        library.check::<T, H, _, 0>(store, "begin", [], |[]| begin).await?;
        let engine = [&b"engine\0"[..], &c_string(engine::name())?];
        library.check::<T, H, _, 2>(store, "fact", engine, |[key, value]| (key, value)).await?;
        for labels in &guest.labels {
            library.check::<T, H, _, 1>(store, "labels", [labels], |[at]| at).await?;
        }
        let size = guest.section.len() as u32;
        library.call::<T, H, u64, ()>(store, "charge", 0).await?;
        library.check::<T, H, _, 1>(store, "module", [&guest.section], |[at]| (at, size)).await?;
        library.call::<T, H, u64, ()>(store, "pass", 0).await?;
        library.call::<T, H, u64, ()>(store, "next_instance", 0).await?;
        Ok(Recording {
            library,
            has_places: guest.flags & MODULE_CALL_LINES != 0,
            exports: OnceLock::new(),
            dropped: AtomicU64::new(0),
            is_lost: AtomicBool::new(false),
        })
    }

    /// The guest with its imports: those of the linker, and the events.
    pub fn linked<T: 'static>(
        &self,
        guest: &Guest,
        store: &mut StoreContextMut<'_, T>,
        linker: &Linker<T>,
    ) -> Result<InstancePre<T>> {
        let mut linker = linker.clone();
        linker.allow_shadowing(true);
        for import in guest.module.imports().filter(|import| import.module() == "toll") {
            let is_event = ["enter", "leave"].contains(&import.name());
            let has_place = is_event || import.name() == "settle";
            let placed = if has_place && self.has_places { "_placed" } else { "" };
            let has_windows = guest.flags & RECORD_WINDOWS != 0;
            let clocked = if is_event && has_windows { "_clocked" } else { "" };
            let name = format!("{}{placed}{clocked}", import.name());
            let event = self.library.instance.get_export(&mut *store, &name);
            let event = event.ok_or_else(|| {
                Error::msg(format!("toll: the module imports toll.{name}, which there is not"))
            })?;
            linker.define(&*store, "toll", import.name(), event)?;
        }
        linker.instantiate_pre(&guest.module)
    }

    /// Make the instance. Its start function may run, and fail.
    pub async fn instantiate<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        guest: &InstancePre<T>,
    ) -> Result<Instance> {
        let instance = H::linked(store, guest).await?;
        let mut global = |name| instance.get_global(&mut *store, name);
        let exports = Exports {
            ticks: global("toll:ticks"),
            pending: global("toll:pending"),
            pending_ticks: global("toll:pending_ticks"),
            place: global("toll:place"),
            executions: instance.get_func(&mut *store, "toll:executions"),
        };
        self.exports.get_or_init(|| exports);
        self.library.call::<T, H, i32, ()>(store, "settles", 1).await?;
        Ok(instance)
    }

    /// Note that the instance could not be made.
    pub async fn note_not_made<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        if self.is_lost() || self.library.call::<T, H, (), u32>(store, "counters", ()).await? == 0 {
            return Ok(());
        }
        self.note::<T, H>(store, NO_EXECUTIONS, 1).await
    }

    async fn note<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        text: &str,
        count: u64,
    ) -> Result<()> {
        let text = c_string(text)?;
        self.library.check::<T, H, _, 1>(store, "note", [&text], |[text]| (text, count)).await
    }

    /// The recording can no longer be used: see `recover`.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed)
    }

    /// Count a call of the instance whose future was dropped.
    pub fn count_dropped(&self) {
        self.dropped.fetch_add(1, Relaxed);
    }

    async fn note_dropped<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        match self.dropped.swap(0, Relaxed) {
            0 => Ok(()),
            count => self.note::<T, H>(store, DROPPED, count).await,
        }
    }

    /// Deliver the pending event.
    async fn settle<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        let Some(Exports { pending: Some(pending), pending_ticks: Some(then), .. }) =
            self.exports.get()
        else {
            return Ok(());
        };
        let then = then.get(&mut *store).unwrap_i64();
        let next = match pending.get(&mut *store) {
            Val::I32(event) if event as u32 > 1 => Val::I32(
                self.library.call::<T, H, (i32, i64), i32>(store, "settle", (event, then)).await?,
            ),
            Val::I64(event) if event as u64 > 1 => Val::I64(
                self.library
                    .call::<T, H, (i64, i64), i64>(store, "settle_placed", (event, then))
                    .await?,
            ),
            _ => return Ok(()),
        };
        pending.set(&mut *store, next)
    }

    /// The ticks that the instance has counted; while it is being made, those of its last event.
    pub async fn ticks<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<u64> {
        self.settle::<T, H>(store).await?;
        match self.exports.get() {
            Some(exports) => {
                Ok(exports.ticks.map_or(0, |ticks| ticks.get(&mut *store).unwrap_i64() as u64))
            }
            None => self.library.call::<T, H, (), u64>(store, "ticks", ()).await,
        }
    }

    pub async fn depth<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<u32> {
        self.settle::<T, H>(store).await?;
        self.library.call::<T, H, (), u32>(store, "depth", ()).await
    }

    /// Repair toll.wasm's state after a call that has failed or was dropped, perhaps within an
    /// event. If that is not possible, the recording is lost.
    async fn recover<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        match self.library.call::<T, H, (), i32>(store, "recover", ()).await? {
            IS_LOST => {
                self.is_lost.store(true, Relaxed);
                Err(Error::msg("toll: the recording is lost"))
            }
            IS_SETTLED => self.clear_pending(store),
            _ => Ok(()),
        }
    }

    /// The next event is reported at once.
    fn clear_pending<T: 'static>(&self, store: &mut StoreContextMut<'_, T>) -> Result<()> {
        let Some(pending) = self.exports.get().and_then(|exports| exports.pending) else {
            return Ok(());
        };
        let is_placed = matches!(pending.get(&mut *store), Val::I64(_));
        pending.set(store, if is_placed { Val::I64(0) } else { Val::I32(0) })
    }

    pub async fn unwind<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        depth: u32,
    ) -> Result<()> {
        self.recover::<T, H>(store).await?;
        let place = self.exports.get().and_then(|exports| exports.place);
        if let (Some(place), true) = (place, self.depth::<T, H>(store).await? > depth) {
            place.set(&mut *store, Val::I32(0))?;
        }
        let ticks = self.ticks::<T, H>(store).await?;
        self.library.call::<T, H, (u32, u64), ()>(store, "unwind", (depth, ticks)).await?;
        self.clear_pending(store)
    }

    /// Write what was recorded so far, as a profile or a report. The time for this is not charged.
    pub async fn write<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: &Written<'_>,
        to: Output,
    ) -> Result<Output> {
        self.note_dropped::<T, H>(store).await?;
        let ticks = self.ticks::<T, H>(store).await?;
        self.library.call::<T, H, u64, ()>(store, "charge", ticks).await?;
        self.gather::<T, H>(store).await?;
        let result = self.library.write::<T, H>(store, what, to).await;
        let ticks = self.ticks::<T, H>(store).await?;
        self.library.call::<T, H, u64, ()>(store, "pass", ticks).await?;
        result
    }

    pub async fn pprof<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<Vec<u8>> {
        let bytes = Output::Bytes(Vec::new());
        Ok(self.write::<T, H>(store, &PPROF, bytes).await?.into_bytes())
    }

    /// Pass to toll.wasm how often each basic block has run.
    async fn gather<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        let count = self.library.call::<T, H, (), u32>(store, "counters", ()).await?;
        let Some(executions) = self.exports.get().and_then(|exports| exports.executions) else {
            return Ok(());
        };
        let mut counts = Vec::new();
        let mut page = [const { Val::I64(0) }; COUNTERS_OF_PAGE as usize];
        for number in 0..count.div_ceil(COUNTERS_OF_PAGE) {
            let number = [Val::I32(number as i32)];
            H::call_untyped(&executions, store, &number, &mut page).await?;
            counts.extend(page.iter().flat_map(|count| count.unwrap_i64().to_le_bytes()));
        }
        self.library
            .with::<T, H, _, (), 1>(store, "executions", [&counts], |[at]| (at, count))
            .await
    }
}
