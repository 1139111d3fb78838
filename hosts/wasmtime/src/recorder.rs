//! The recorder of all instances of a module.

use crate::{
    instance::{Instance, Recorded},
    library::{c_string, own_store, Form, Library, Written, PPROF, TOLL_WASM},
    output::{Output, WholeFile},
    recording::{Guest, Recording, Recordings, StoreId, RECORD_TIME},
    section, Clock, Options,
};
use std::{
    path::Path,
    sync::{Arc, Mutex},
};
use wasmtime::{AsContextMut, Engine, Error, Linker, Module, Result, Store, StoreContextMut};

// Of toll/embedder.h.
const NO_TICKS: u32 = 1;
const HEAP: u32 = 2;
const LINES: u32 = 4;
const NO_CALLS: u32 = 8;
const CALL_LINES: u32 = 16;

const LOST: &str = "instances that are missing: their stores were dropped before Recorder::end";
const ELSEWHERE: &str =
    "instances that are missing: they are in other stores, without Recorder::end";

/// Records the instances of a module. Threads may share it; each store is one thread's at a time, as
/// ever.
pub struct Recorder {
    engine: Engine,
    guest: Guest,
    state: Mutex<State>,
}

struct State {
    stores: Vec<Arc<Recordings>>,
    ended: Sum,
    has_ended: bool,
    lost: u64,
}

/// A toll.wasm of its own, for tools and sums.
struct Sum {
    store: Store<()>,
    library: Library,
}

impl Sum {
    fn new(engine: &Engine, toll: &Module) -> Result<Sum> {
        let mut store = own_store(engine);
        let library = Library::new(&mut store.as_context_mut(), toll, &Clock::None)?;
        Ok(Sum { store, library })
    }

    fn add(&mut self, pprof: &[u8]) -> Result<()> {
        self.library.add(&mut self.store.as_context_mut(), pprof)
    }

    fn write(&mut self, what: &Written, to: Output) -> Result<Output> {
        self.library.write(&mut self.store.as_context_mut(), what, to)
    }

    fn pprof(&mut self) -> Result<Vec<u8>> {
        Ok(self.write(&PPROF, Output::Bytes(Vec::new()))?.into_bytes())
    }

    /// The module, instrumented, unless it is already.
    fn instrumented(&mut self, module: &[u8], options: &Options) -> Result<Vec<u8>> {
        let Options { heap, lines, call_lines, no_ticks, no_calls, .. } = *options;
        let flags = [
            (no_ticks, NO_TICKS),
            (heap, HEAP),
            (lines || call_lines, LINES),
            (no_calls, NO_CALLS),
            (call_lines, CALL_LINES),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag);
        let Options { name, only, skip, costs, .. } = options;
        if section::toll(module).is_some() {
            if flags != 0 || !only.is_empty() || !skip.is_empty() || !costs.is_empty() {
                return Err(Error::msg(
                    "toll: the module was instrumented before: only, skip, costs and what is \
                     counted are for toll instrument",
                ));
            }
            return Ok(module.to_vec());
        }
        let name = if name.is_empty() { "module" } else { name };
        let (name, only, skip, costs) =
            (c_string(name)?, c_string(only)?, c_string(skip)?, c_string(costs)?);
        let store = &mut self.store.as_context_mut();
        self.library.check(
            store,
            "instrument",
            [module, &name, &only, &skip, &costs],
            |[at, name, only, skip, costs]| {
                (at, module.len() as u32, name, only, skip, costs, flags)
            },
        )?;
        self.library.result(store)
    }

    /// What an export says of a module.
    fn ask(&mut self, export: &str, module: &[u8]) -> Result<i32> {
        let store = &mut self.store.as_context_mut();
        match self.library.with(store, export, [module], |[at]| (at, module.len() as u32))? {
            error if error < 0i32 => Err(self.library.error(store)),
            answer => Ok(answer),
        }
    }
}

impl Recorder {
    /// Instrument and compile a module in the binary format. It may be instrumented already, by
    /// `toll instrument`. `toll.wasm` is compiled, too, which takes half a second of processor time: see
    /// [`another`](Recorder::another).
    pub fn new(engine: &Engine, module: &[u8], options: Options) -> Result<Recorder> {
        Recorder::with_toll(engine, Module::new(engine, TOLL_WASM)?, module, options)
    }

    /// A recorder of another module, or of the same one with other options, in the same engine.
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
        let code = ended.instrumented(module, &options)?;
        let mut flags = ended.ask("instrumented", &code)? as u32;
        if !matches!(options.clock, Clock::None) {
            flags |= RECORD_TIME;
        }
        let depth = match options.depth {
            0 => ended.ask("instrumented_depth", &code)? as u32,
            depth => depth,
        };
        let guest = Guest {
            toll,
            module: Module::new(engine, &code)?,
            section: section::toll(&code).unwrap_or_default().to_vec(),
            flags,
            depth,
            clock: options.clock,
        };
        let state = State { stores: Vec::new(), ended, has_ended: false, lost: 0 };
        Ok(Recorder { engine: engine.clone(), guest, state: Mutex::new(state) })
    }

    /// The instrumented module.
    pub fn module(&self) -> &Module {
        &self.guest.module
    }

    /// Make an instance, with the imports that the linker defines, and record it. Any number of them may
    /// live at a time: profiles add them up.
    pub fn instantiate<T: 'static>(
        &self,
        mut store: impl AsContextMut<Data = T>,
        linker: &Linker<T>,
    ) -> Result<Instance> {
        let store = &mut store.as_context_mut();
        let recording = Arc::new(Recording::new(&self.guest, store)?);
        let guest = recording.linked(&self.guest, store, linker)?; // fails before there is anything to profile
        let recordings = self.state.lock().unwrap().recordings(StoreId::of(&*store));
        recordings.all.lock().unwrap().push(recording.clone());
        let instance =
            recordings.guarded(&recording, store, |store| recording.instantiate(store, &guest))?;
        Ok(Instance { instance, recorded: Recorded { recordings, recording } })
    }

    /// Write the profile so far to a file, whose name says the format: `.pb.gz` (pprof), `.folded`,
    /// `.speedscope.json`, `.callgrind` and others, also with `.gz` behind. The file appears whole or
    /// not at all. The recording goes on.
    ///
    /// The profile is that of all instances in this store, and of all for which [`end`](Recorder::end)
    /// was called; a note in it counts those that are missing.
    pub fn profile(&self, mut store: impl AsContextMut, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let format = self.format_of(path)?;
        let file = WholeFile::create(path)
            .map_err(|error| Error::msg(format!("toll: {}: {error}", path.display())))?;
        let what = Written::Profile { format: &format, value: "" };
        match self.write(&mut store.as_context_mut(), &what, Output::File(file))? {
            Output::File(file) => Ok(file.finish()?),
            Output::Bytes(_) => Ok(()),
        }
    }

    /// The profile so far in a format: `pprof` (not compressed), `folded`, `speedscope`, `callgrind`,
    /// ... `value` is the column for formats of one value: `ticks`, `time`, `calls`, ...; "": the default.
    pub fn bytes(
        &self,
        mut store: impl AsContextMut,
        format: &str,
        value: &str,
    ) -> Result<Vec<u8>> {
        let what = Written::Profile { format, value };
        let to = Output::Bytes(Vec::new());
        Ok(self.write(&mut store.as_context_mut(), &what, to)?.into_bytes())
    }

    /// The functions that cost most, as text. `rows`: as many at most; 0: all.
    pub fn top(&self, store: impl AsContextMut, value: &str, rows: u32) -> Result<String> {
        self.report(store, Written::Report { value, rows, form: Form::Top })
    }

    /// The tree of calls, as text.
    pub fn tree(&self, store: impl AsContextMut, value: &str, rows: u32) -> Result<String> {
        self.report(store, Written::Report { value, rows, form: Form::Tree })
    }

    fn report(&self, mut store: impl AsContextMut, what: Written) -> Result<String> {
        let text = self.write(&mut store.as_context_mut(), &what, Output::Bytes(Vec::new()))?;
        Ok(String::from_utf8_lossy(&text.into_bytes()).into_owned())
    }

    /// No more calls in this store, which is dropped next: keep what its instances have recorded.
    pub fn end(&self, mut store: impl AsContextMut) -> Result<()> {
        let store = &mut store.as_context_mut();
        let state = &mut *self.state.lock().unwrap();
        let Some(recordings) = state.remove(StoreId::of(&*store)) else {
            return Ok(());
        };
        for recording in recordings.all.lock().unwrap().drain(..) {
            state.ended.add(&recording.pprof(store)?)?;
            state.has_ended = true;
        }
        Ok(())
    }

    fn format_of(&self, path: &Path) -> Result<String> {
        let Sum { store, library } = &mut self.state.lock().unwrap().ended;
        let (store, name) = (&mut store.as_context_mut(), c_string(&path.to_string_lossy())?);
        library.check(store, "format_of", [&name], |[name]| name)?;
        let format = String::from_utf8_lossy(&library.result(store)?).into_owned();
        Ok(format.trim_end_matches('\0').to_string())
    }

    fn write<T: 'static>(
        &self,
        store: &mut StoreContextMut<'_, T>,
        what: &Written,
        to: Output,
    ) -> Result<Output> {
        let state = &mut *self.state.lock().unwrap();
        state.forget_dropped();
        let here = state.stores.iter().find(|each| each.store == StoreId::of(&*store));
        let here = here.map_or(Vec::new(), |here| here.all.lock().unwrap().clone());
        let elsewhere = state.live() - here.len() as u64;
        let is_whole = elsewhere == 0 && state.lost == 0;
        match &here[..] {
            [] if !state.has_ended => {
                Err(Error::msg("toll: nothing was recorded in this store; call instantiate first"))
            }
            [only] if !state.has_ended && is_whole => only.write(store, what, to),
            [] if is_whole => state.ended.write(what, to),
            _ => {
                let mut sum = Sum::new(&self.engine, &self.guest.toll)?;
                if state.has_ended {
                    sum.add(&state.ended.pprof()?)?;
                }
                for recording in &here {
                    sum.add(&recording.pprof(store)?)?;
                }
                if !is_whole {
                    sum.add(&self.notes(&[(LOST, state.lost), (ELSEWHERE, elsewhere)])?)?;
                }
                sum.write(what, to)
            }
        }
    }

    /// A profile that has nothing but notes.
    fn notes(&self, notes: &[(&str, u64)]) -> Result<Vec<u8>> {
        let mut empty = Sum::new(&self.engine, &self.guest.toll)?;
        let store = &mut empty.store.as_context_mut();
        empty
            .library
            .check(store, "begin", [], |[]| (self.guest.flags & !RECORD_TIME, 0u32, 0i64))?;
        for (text, count) in notes.iter().filter(|(_, count)| *count > 0) {
            empty.library.check(store, "note", [&c_string(text)?], |[text]| (text, *count))?;
        }
        empty.pprof()
    }
}

impl State {
    /// Those in the store, which are none as yet if it is new.
    fn recordings(&mut self, store: StoreId) -> Arc<Recordings> {
        self.forget_dropped();
        if let Some(found) = self.stores.iter().find(|each| each.store == store) {
            return found.clone();
        }
        let recordings = Arc::new(Recordings::new(store));
        self.stores.push(recordings.clone());
        recordings
    }

    fn remove(&mut self, store: StoreId) -> Option<Arc<Recordings>> {
        self.forget_dropped();
        let at = self.stores.iter().position(|each| each.store == store)?;
        Some(self.stores.swap_remove(at))
    }

    /// How many instances there are in stores that exist.
    fn live(&self) -> u64 {
        self.stores.iter().map(|each| each.all.lock().unwrap().len() as u64).sum()
    }

    /// Forget stores that exist no more. Another one may be where they were.
    fn forget_dropped(&mut self) {
        let (live, dropped) = self.stores.drain(..).partition(|each| each.are_alive());
        self.stores = dropped;
        self.lost += self.live();
        self.stores = live;
    }
}
