//! Records all instances of a module, and writes their profiles.

use crate::{
    budget::assert_budget,
    calls::{now, Awaiting, Blocking, Calls},
    embedder::{RECORD_TICKS, RECORD_TIME, RECORD_TIMELINE, RECORD_WINDOWS},
    instance::{Instance, Recorded},
    library::{Form, Written, TOLL_WASM},
    open_call::{watched, StoreId},
    output::{Output, WholeFile},
    recording::{Guest, Recording},
    state::{Parts, State},
    sum::{has_windows, DebugInfo, Sum},
    Clock, Options,
};
use std::{
    path::Path,
    sync::{Arc, Mutex},
};
use wasmtime::{AsContextMut, Engine, Error, Linker, Module, Result, StoreContextMut};

/// Records the instances of a module. Threads may share it. Each store is used by one thread at a
/// time, as always in wasmtime.
pub struct Recorder {
    engine: Engine,
    guest: Guest,
    debug: Option<DebugInfo>,
    state: Mutex<State>,
}

impl Recorder {
    /// Instrument and compile a module in the binary format. It may be instrumented already, by
    /// `toll instrument`. This also compiles `toll.wasm`, which takes half a second of processor
    /// time; [`another`](Recorder::another) does not do so again.
    pub fn new(engine: &Engine, module: &[u8], options: Options) -> Result<Recorder> {
        Recorder::with_toll(engine, Module::new(engine, TOLL_WASM)?, module, options)
    }

    /// A recorder for another module, or for the same one with other options, in the same engine.
    pub fn another(&self, module: &[u8], options: Options) -> Result<Recorder> {
        Recorder::with_toll(&self.engine, self.guest.toll.clone(), module, options)
    }

    fn with_toll(
        engine: &Engine,
        toll: Module,
        module: &[u8],
        options: Options,
    ) -> Result<Recorder> {
        let mut ended = Sum::new(engine, &toll)?;
        let labels = ended.labels(&options)?;
        let (code, section) = ended.prepared(module, &options)?;
        let debug = DebugInfo::wanted(module, &options)?;
        let mut flags = ended.ask("instrumented", &code)? as u32;
        if !matches!(options.clock, Clock::None) {
            flags |= RECORD_TIME;
        }
        if options.timeline {
            flags |= RECORD_TIMELINE;
        }
        if options.no_ticks {
            flags &= !RECORD_TICKS;
        }
        if has_windows(&options) {
            flags |= RECORD_WINDOWS;
        }
        let depth = match options.depth {
            0 => ended.ask("instrumented_depth", &code)? as u32,
            depth => depth,
        };
        let guest = Guest {
            toll,
            module: Module::new(engine, &code)?,
            section,
            flags,
            depth,
            labels,
            clock: options.clock,
        };
        Ok(Recorder { engine: engine.clone(), guest, debug, state: Mutex::new(State::new(ended)) })
    }

    /// The instrumented module.
    pub fn module(&self) -> &Module {
        &self.guest.module
    }

    /// Make an instance, with the imports that the linker defines, and record it. Any number of
    /// instances may exist at the same time; profiles add them up.
    pub fn instantiate<T: 'static>(
        &self,
        mut store: impl AsContextMut<Data = T>,
        linker: &Linker<T>,
    ) -> Result<Instance> {
        now(self.make_instance::<T, Blocking>(&mut store.as_context_mut(), linker))
    }

    /// The same in an asynchronous store; see [`Linker::instantiate_async`].
    pub async fn instantiate_async<T: Send + 'static>(
        &self,
        mut store: impl AsContextMut<Data = T>,
        linker: &Linker<T>,
    ) -> Result<Instance> {
        self.make_instance::<T, Awaiting>(&mut store.as_context_mut(), linker).await
    }

    async fn make_instance<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        linker: &Linker<T>,
    ) -> Result<Instance> {
        let id = StoreId::of(&*store);
        let recordings = self.state.lock().unwrap().recordings(id, &self.guest.clock);
        let recording =
            Arc::new(Recording::new::<T, H>(&self.guest, store, &recordings.clock).await?);
        let guest = recording.linked(&self.guest, store, linker)?; // first: a missing import leaves no recording
        self.state.lock().unwrap().add(&recordings, &recording);
        let recorded = Recorded { recordings, recording };
        let call = recorded.begin::<T, H>(store).await?;
        let work = recorded.recording.instantiate::<T, H>(call.store, &guest);
        let result = watched(&recorded.recordings.clock, work).await;
        match call.end(result).await {
            Ok(instance) => Ok(Instance { instance, recorded }),
            Err(error) => {
                let _ = recorded.recording.note_not_made::<T, H>(store).await; // `error` is more useful
                Err(error)
            }
        }
    }

    /// Write the profile so far to a file. Its name determines the format: `.pb.gz` (pprof),
    /// `.folded`, `.speedscope.json`, `.callgrind` and others, also followed by `.gz`. The file
    /// appears whole or not at all. The recording continues.
    ///
    /// The profile contains all instances in this store, and all for which [`end`](Recorder::end)
    /// was called. A note counts the instances that are missing.
    pub fn profile(&self, mut store: impl AsContextMut, path: impl AsRef<Path>) -> Result<()> {
        now(self.save::<_, Blocking>(&mut store.as_context_mut(), path.as_ref(), false))
    }

    /// The same in an asynchronous store.
    pub async fn profile_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        path: impl AsRef<Path>,
    ) -> Result<()> {
        self.save::<_, Awaiting>(&mut store.as_context_mut(), path.as_ref(), false).await
    }

    /// Hold the profile so far to rules of a budget, such as `ticks  parse  <= 1_204_331`, by the
    /// command `toll`, which must be on the PATH. The recording continues.
    ///
    /// # Panics
    /// If a rule fails, or is none: with the message of `toll check`, which names the stacks in
    /// which the cost is.
    #[track_caller]
    pub fn assert_budget(&self, store: impl AsContextMut, rules: &[&str]) {
        assert_budget(rules, |path| self.profile(store, path));
    }

    /// Write all calls in order to a file. Its name determines the format: `.speedscope.json`,
    /// `.trace.json`, `.pftrace`, `.folded`, `.toll-timeline` and others, also followed by `.gz`.
    /// Needs [`Options::timeline`], and works for a single instance only.
    pub fn timeline(&self, mut store: impl AsContextMut, path: impl AsRef<Path>) -> Result<()> {
        now(self.save::<_, Blocking>(&mut store.as_context_mut(), path.as_ref(), true))
    }

    /// The same in an asynchronous store.
    pub async fn timeline_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        path: impl AsRef<Path>,
    ) -> Result<()> {
        self.save::<_, Awaiting>(&mut store.as_context_mut(), path.as_ref(), true).await
    }

    async fn save<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        path: &Path,
        in_order: bool,
    ) -> Result<()> {
        let format = self.state.lock().unwrap().ended.format_of(path)?;
        let file = WholeFile::create(path)
            .map_err(|error| Error::msg(format!("toll: {}: {error}", path.display())))?;
        let what = Written::Profile { format: &format, value: "", in_order };
        match self.write::<T, H>(store, &what, Output::File(file)).await? {
            Output::File(file) => Ok(file.finish()?),
            Output::Bytes(_) => Ok(()),
        }
    }

    /// The profile so far in a format: `pprof` (not compressed), `folded`, `speedscope`,
    /// `callgrind`, ... `value` is the column for formats that keep only one: `ticks`, `time`,
    /// `calls`, ...; "": the default.
    pub fn bytes(
        &self,
        mut store: impl AsContextMut,
        format: &str,
        value: &str,
    ) -> Result<Vec<u8>> {
        let what = Written::Profile { format, value, in_order: false };
        now(self.collect::<_, Blocking>(&mut store.as_context_mut(), what))
    }

    /// The same in an asynchronous store.
    pub async fn bytes_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        format: &str,
        value: &str,
    ) -> Result<Vec<u8>> {
        let what = Written::Profile { format, value, in_order: false };
        self.collect::<_, Awaiting>(&mut store.as_context_mut(), what).await
    }

    async fn collect<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: Written<'_>,
    ) -> Result<Vec<u8>> {
        let bytes = Output::Bytes(Vec::new());
        Ok(self.write::<T, H>(store, &what, bytes).await?.into_bytes())
    }

    /// The functions with the highest cost, as text, at most `rows` of them; 0: all.
    pub fn top(&self, mut store: impl AsContextMut, value: &str, rows: u32) -> Result<String> {
        let what = Written::Report { value, rows, form: Form::Top };
        now(self.collect::<_, Blocking>(&mut store.as_context_mut(), what)).map(text)
    }

    /// The same in an asynchronous store.
    pub async fn top_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        value: &str,
        rows: u32,
    ) -> Result<String> {
        let what = Written::Report { value, rows, form: Form::Top };
        self.collect::<_, Awaiting>(&mut store.as_context_mut(), what).await.map(text)
    }

    /// The tree of calls, as text.
    pub fn tree(&self, mut store: impl AsContextMut, value: &str, rows: u32) -> Result<String> {
        let what = Written::Report { value, rows, form: Form::Tree };
        now(self.collect::<_, Blocking>(&mut store.as_context_mut(), what)).map(text)
    }

    /// The same in an asynchronous store.
    pub async fn tree_async(
        &self,
        mut store: impl AsContextMut<Data: Send>,
        value: &str,
        rows: u32,
    ) -> Result<String> {
        let what = Written::Report { value, rows, form: Form::Tree };
        self.collect::<_, Awaiting>(&mut store.as_context_mut(), what).await.map(text)
    }

    /// Keep what the instances in this store have recorded. To be called before the store is
    /// dropped; no calls may follow.
    pub fn end(&self, mut store: impl AsContextMut) -> Result<()> {
        now(self.keep::<_, Blocking>(&mut store.as_context_mut()))
    }

    /// The same in an asynchronous store.
    pub async fn end_async(&self, mut store: impl AsContextMut<Data: Send>) -> Result<()> {
        self.keep::<_, Awaiting>(&mut store.as_context_mut()).await
    }

    async fn keep<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        let Some(recordings) = self.state.lock().unwrap().find(StoreId::of(&*store)) else {
            return Ok(());
        };
        recordings.catch_up::<T, H>(store).await?;
        let all = recordings.all.lock().unwrap().clone();
        let mut profiles = Vec::new();
        for recording in all.iter().filter(|each| !each.is_lost()) {
            profiles.push(recording.pprof::<T, H>(store).await?);
        }
        self.state.lock().unwrap().end(&recordings, &profiles)
    }

    async fn write<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: &Written<'_>,
        to: Output,
    ) -> Result<Output> {
        let in_order = matches!(what, Written::Profile { in_order: true, .. }); // has no lines
        if in_order && self.guest.flags & RECORD_TIMELINE == 0 {
            return Err(Error::msg("toll: no order of calls was recorded; set Options::timeline"));
        }
        let id = StoreId::of(&*store);
        let here = self.state.lock().unwrap().find(id);
        if let Some(here) = here {
            here.catch_up::<T, H>(store).await?;
        }
        let debug = self.debug.as_ref().filter(|_| !in_order);
        let parts = self.state.lock().unwrap().parts(id, debug.is_some())?;
        let is_whole = parts.is_whole();
        match &parts.all[..] {
            [only] if parts.ended.is_none() && is_whole && debug.is_none() => {
                only.write::<T, H>(store, what, to).await
            }
            _ if in_order => Err(Error::msg(
                "toll: the order of calls can be written for one instance alone; use a Recorder for each",
            )),
            [] if parts.ended.is_none() && is_whole => {
                self.state.lock().unwrap().ended.write(what, to)
            }
            _ => {
                let mut sum = self.sum::<T, H>(store, &parts).await?;
                if let Some(debug) = debug {
                    sum.debug_info(debug)?;
                }
                sum.write(what, to)
            }
        }
    }

    async fn sum<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        parts: &Parts,
    ) -> Result<Sum> {
        let mut sum = Sum::new(&self.engine, &self.guest.toll)?;
        if let Some(ended) = &parts.ended {
            sum.add(ended)?;
        }
        for recording in &parts.all {
            sum.add(&recording.pprof::<T, H>(store).await?)?;
        }
        if !parts.is_whole() {
            let mut notes = Sum::new(&self.engine, &self.guest.toll)?;
            notes.note(self.guest.flags, &parts.missing)?;
            sum.add(&notes.pprof()?)?;
        }
        Ok(sum)
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}
