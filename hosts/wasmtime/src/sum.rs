//! An instance of toll.wasm in a store of its own, which instruments modules and adds up profiles.

use crate::{
    calls::{now, Own},
    clock::StoreClock,
    embedder::*,
    library::{c_string, own_store, Library, Written, PPROF},
    output::Output,
    Clock, Options,
};
use std::{path::Path, sync::Arc};
use wasmtime::{AsContextMut, Engine, Module, Result, Store, WasmParams};

/// An instance of toll.wasm in a store of its own.
pub struct Sum {
    store: Store<()>,
    library: Library,
}

/// A module as it was before it was instrumented, whose debug information gives profiles their lines.
pub struct DebugInfo {
    module: Vec<u8>,
    name: Vec<u8>,
    costs: Vec<u8>,
    inlines: bool,
}

impl DebugInfo {
    /// None: the options do not ask for it.
    pub fn wanted(module: &[u8], options: &Options) -> Result<Option<DebugInfo>> {
        if !(options.lines || options.call_lines) || options.no_debug {
            return Ok(None);
        }
        Ok(Some(DebugInfo {
            module: module.to_vec(),
            name: c_string(name_of(options))?,
            costs: c_string(&options.costs)?,
            inlines: options.inlines,
        }))
    }
}

/// The texts that instrumenting takes.
struct Texts {
    name: Vec<u8>,
    only: Vec<u8>,
    skip: Vec<u8>,
    costs: Vec<u8>,
}

impl Texts {
    fn of(options: &Options) -> Result<Texts> {
        Ok(Texts {
            name: c_string(name_of(options))?,
            only: c_string(&options.only)?,
            skip: c_string(&options.skip)?,
            costs: c_string(&options.costs)?,
        })
    }

    fn beside<'a>(&'a self, code: &'a [u8]) -> [&'a [u8]; 5] {
        [code, &self.name, &self.only, &self.skip, &self.costs]
    }
}

fn instrument_flags(options: &Options) -> u32 {
    let Options { heap, lines, call_lines, no_ticks, no_calls, .. } = *options;
    let flags = [
        (no_ticks, INSTRUMENT_NO_TICKS),
        (heap, INSTRUMENT_HEAP),
        (lines || call_lines, INSTRUMENT_LINES),
        (no_calls, INSTRUMENT_NO_CALLS),
        (call_lines, INSTRUMENT_CALL_LINES),
    ];
    flags.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag)
}

/// Is the clock read once in a window? See docs/semantics.md, "Time by windows".
pub fn has_windows(options: &Options) -> bool {
    matches!(options.clock, Clock::Monotonic) && !options.timeline
}

fn name_of(options: &Options) -> &str {
    match &options.name[..] {
        "" => "module",
        name => name,
    }
}

impl Sum {
    pub fn new(engine: &Engine, toll: &Module) -> Result<Sum> {
        let mut store = own_store(engine);
        let clock = Arc::new(StoreClock::new(&Clock::None));
        let library = now(Library::new::<(), Own>(&mut store.as_context_mut(), toll, &clock))?;
        Ok(Sum { store, library })
    }

    /// Call an export that returns a status, with blocks of bytes.
    fn check<P: WasmParams + Sync, const N: usize>(
        &mut self,
        name: &str,
        blocks: [&[u8]; N],
        args: impl FnOnce([u32; N]) -> P,
    ) -> Result<()> {
        let store = &mut self.store.as_context_mut();
        now(self.library.check::<(), Own, P, N>(store, name, blocks, args))
    }

    fn result(&mut self) -> Result<Vec<u8>> {
        now(self.library.result::<(), Own>(&mut self.store.as_context_mut()))
    }

    pub fn add(&mut self, pprof: &[u8]) -> Result<()> {
        now(self.library.add::<(), Own>(&mut self.store.as_context_mut(), pprof))
    }

    pub fn write(&mut self, what: &Written, to: Output) -> Result<Output> {
        now(self.library.write::<(), Own>(&mut self.store.as_context_mut(), what, to))
    }

    /// What is written from now on has lines in place of addresses. It takes memory of this store alone, and neither
    /// fuel nor an epoch ends it.
    pub fn debug_info(&mut self, debug: &DebugInfo) -> Result<()> {
        let DebugInfo { module, name, costs, inlines } = debug;
        let (size, inlines) = (module.len() as u32, i32::from(*inlines));
        self.check("debug_info", [module, name, costs], |[at, name, costs]| {
            (at, size, name, costs, inlines)
        })
    }

    pub fn pprof(&mut self) -> Result<Vec<u8>> {
        Ok(self.write(&PPROF, Output::Bytes(Vec::new()))?.into_bytes())
    }

    /// The format for a file of that name.
    pub fn format_of(&mut self, path: &Path) -> Result<String> {
        let name = c_string(&path.to_string_lossy())?;
        self.check("format_of", [&name], |[name]| name)?;
        let format = String::from_utf8_lossy(&self.result()?).into_owned();
        Ok(format.trim_end_matches('\0').to_string())
    }

    /// Begin a recording that has only notes.
    pub fn note(&mut self, flags: u32, notes: &[(&str, u64)]) -> Result<()> {
        self.check("begin", [], |[]| (flags & !(RECORD_TIME | RECORD_TIMELINE), 0u32, 0i64))?;
        for (text, count) in notes.iter().filter(|(_, count)| *count > 0) {
            self.check("note", [&c_string(text)?], |[text]| (text, *count))?;
        }
        Ok(())
    }

    /// Lists of labels: that of the environment, if it is valid, and then that of the options. Each
    /// list replaces labels of earlier ones that have the same keys.
    pub fn labels(&mut self, options: &Options) -> Result<Vec<Vec<u8>>> {
        let mut lists = Vec::new();
        if let Some(own) = std::env::var_os("TOLL_LABELS").filter(|own| !own.is_empty()) {
            let own = c_string(&own.to_string_lossy())?;
            match self.check("labels", [&own], |[at]| at) {
                Ok(()) => lists.push(own),
                Err(error) => {
                    let error = error.to_string();
                    let why = error.trim_start_matches("toll: ");
                    eprintln!("toll: warning: TOLL_LABELS is left out: {why}"); // the profile is worth more
                }
            }
        }
        if !options.labels.is_empty() {
            let own = c_string(&options.labels)?;
            self.check("labels", [&own], |[at]| at)?;
            lists.push(own);
        }
        Ok(lists)
    }

    /// The instrumented module, and its section "toll", which each recording gets.
    pub fn prepared(&mut self, module: &[u8], options: &Options) -> Result<(Vec<u8>, Vec<u8>)> {
        let flags =
            instrument_flags(options) | if has_windows(options) { INSTRUMENT_TIME } else { 0 };
        let texts = Texts::of(options)?;
        let size = module.len() as u32;
        self.check("prepare", texts.beside(module), |[at, name, only, skip, costs]| {
            (at, size, name, only, skip, costs, flags)
        })?;
        let code = self.result()?;
        self.check("module_section", [&code], |[at]| (at, code.len() as u32))?;
        Ok((code, self.result()?))
    }

    /// The component that contains toll.wasm, and records itself.
    #[cfg(feature = "component-model")]
    pub fn component(
        &mut self,
        component: &[u8],
        options: &Options,
        toll: &[u8],
    ) -> Result<Vec<u8>> {
        let has_clock = !matches!(options.clock, Clock::None);
        let flags = instrument_flags(options) | if has_clock { INSTRUMENT_TIME } else { 0 };
        let (texts, depth) = (Texts::of(options)?, options.depth);
        let (size, toll_size) = (component.len() as u32, toll.len() as u32);
        let [component, name, only, skip, costs] = texts.beside(component);
        self.check(
            "instrument_component",
            [component, name, only, skip, costs, toll],
            |[at, name, only, skip, costs, toll]| {
                (at, size, name, only, skip, costs, flags, depth, toll, toll_size)
            },
        )?;
        self.result()
    }

    /// What is written from now on has these labels: those of the recorder, and further ones.
    #[cfg(feature = "component-model")]
    pub fn set_labels(&mut self, lists: &[Vec<u8>], more: &str) -> Result<()> {
        let more = c_string(more)?;
        for list in lists.iter().chain((more.len() > 1).then_some(&more)) {
            self.check("labels", [list], |[at]| at)?;
        }
        Ok(())
    }

    /// The result of an export that examines a module.
    pub fn ask(&mut self, export: &str, module: &[u8]) -> Result<i32> {
        let (store, size) = (&mut self.store.as_context_mut(), module.len() as u32);
        let args = |[at]: [u32; 1]| (at, size);
        match now(self.library.with::<(), Own, _, i32, 1>(store, export, [module], args))? {
            error if error < 0 => Err(now(self.library.error::<(), Own>(store))),
            answer => Ok(answer),
        }
    }
}
