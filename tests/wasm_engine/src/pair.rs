//! A module with fuel, and its instrumented form with ticks.

use crate::{section, toll};
use std::ffi::CStr;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::Arc;
use wasmtime::{Engine, ExportType, Extern, FuncType, Instance, Linker, Module, Store, Val};
use wasmtime_wast::{link_spectest, SpectestConfig};

const MUCH: u64 = 1 << 60;
const MAY_LEAVE: i32 = 1;
const TICKS: &str = "toll:ticks";
const EXECUTIONS: &str = "toll:executions";
const PAGE: usize = 64;

pub struct Engines {
    pub fuelled: Engine,
    pub plain: Engine,
}

/// An instance, and what it was made of.
struct Side {
    module: Module,
    store: Store<()>,
    instance: Instance,
}

pub struct Pair {
    fuelled: Side,
    ticking: Side,
    /// What the stretch of each counter costs.
    costs: Vec<u64>,
    /// Some functions are not followed: their stretches have no counters.
    skips: bool,
}

/// What a call cost.
pub struct Cost {
    pub fuel: u64,
    pub ticks: u64,
    /// Both came back, and did not trap or throw.
    pub returned: bool,
    /// For people: what the module as it is and the new one returned, or why they did not.
    pub ends: [String; 2],
}

fn linker(store: &mut Store<()>) -> wasmtime::Result<Linker<()>> {
    let mut linker = Linker::new(store.engine());
    let spectest = SpectestConfig { use_shared_memory: true, suppress_prints: true };
    link_spectest(&mut linker, store, &spectest)?;
    linker.func_wrap("env", "host", |x: i32| x.wrapping_mul(2))?;
    // What Kotlin's programs import: it does nothing.
    let wasi = "wasi_snapshot_preview1";
    linker.func_wrap(wasi, "random_get", |_: i32, _: i32| 0i32)?;
    for name in ["fd_write", "poll_oneoff"] {
        linker.func_wrap(wasi, name, |_: i32, _: i32, _: i32, _: i32| 0i32)?;
    }
    let last = Arc::new(AtomicI64::new(0));
    let tell = move |ticks: i64| assert!(last.swap(ticks, Relaxed) <= ticks, "ticks went back");
    for name in ["enter", "leave"] {
        let tell = tell.clone();
        linker.func_wrap("toll", name, move |event: i32, then: i64, _: i32, ticks: i64| {
            if event > MAY_LEAVE {
                tell(then);
            }
            tell(ticks);
            MAY_LEAVE
        })?;
    }
    let told = tell.clone();
    linker.func_wrap("toll", "settle", move |event: i32, then: i64| {
        if event > MAY_LEAVE {
            told(then);
        }
        MAY_LEAVE
    })?;
    linker.func_wrap("toll", "unwind", move |_: i32, ticks: i64| tell(ticks))?;
    linker.func_wrap("toll", "depth", || 0i32)?;
    Ok(linker)
}

fn text(value: &Val) -> String {
    match value.ref_() {
        Some(reference) => if reference.is_null() { "null" } else { "a reference" }.to_string(),
        None => format!("{value:?}"),
    }
}

impl Side {
    fn new(module: Module) -> wasmtime::Result<Side> {
        let mut store = Store::new(module.engine(), ());
        let _ = store.set_fuel(MUCH); // an error if the engine does not count
        let instance = linker(&mut store)?.instantiate(&mut store, &module)?;
        Ok(Side { module, store, instance })
    }

    /// None: no such function.
    fn call(&mut self, name: &str, args: &[Val]) -> Option<wasmtime::Result<String>> {
        let function = self.instance.get_func(&mut self.store, name)?;
        let count = function.ty(&self.store).results().len();
        let mut results = vec![Val::I32(0); count];
        let done = function.call(&mut self.store, args, &mut results);
        Some(done.map(|_| results.iter().map(text).collect::<Vec<_>>().join(", ")))
    }

    /// The exported globals and memories, but for Toll's own.
    fn state(&mut self) -> Vec<(String, Vec<u8>)> {
        let store = &mut self.store;
        let exports: Vec<_> = self
            .instance
            .exports(&mut *store)
            .map(|e| (e.name().into(), e.into_extern()))
            .collect();
        let look = |(name, export): (String, Extern)| match export {
            Extern::Global(global) if !name.starts_with("toll:") => {
                let value = text(&global.get(&mut *store));
                Some((name, value.into_bytes()))
            }
            Extern::Memory(memory) => Some((name, memory.data(&*store).to_vec())),
            _ => None,
        };
        exports.into_iter().filter_map(look).collect()
    }
}

impl Pair {
    /// None: the module cannot be run by itself here. Functions whose names match `skip` are not
    /// followed.
    pub fn new(engines: &Engines, module: &[u8], skip: Option<&CStr>) -> Option<Pair> {
        let fuelled = Side::new(Module::new(&engines.fuelled, module).ok()?).ok()?;
        let new = toll::instrument(module, toll::FUEL, skip, true).expect("a good module");
        let costs = section::read(&new).expect("a section toll").counters;
        let new = Module::new(&engines.plain, &new).expect("a good module, still");
        let ticking = Side::new(new).expect("the same of the new module");
        Some(Pair { fuelled, ticking, costs, skips: skip.is_some() })
    }

    /// New instances: what calls left in the old ones is gone.
    pub fn renew(&mut self) {
        for side in [&mut self.fuelled, &mut self.ticking] {
            *side = Side::new(side.module.clone()).expect("an instance, as before");
        }
    }

    /// The names and types of the exported functions.
    pub fn functions(&self) -> Vec<(String, FuncType)> {
        let function = |e: ExportType| e.ty().func().map(|ty| (e.name().to_string(), ty.clone()));
        self.fuelled.module.exports().filter_map(function).collect()
    }

    /// Whether globals and memories that are exported are the same on both sides.
    pub fn agrees(&mut self) -> bool {
        self.fuelled.state() == self.ticking.state()
    }

    /// The executions of all stretches, each times what it costs.
    fn ticks_of_stretches(&mut self) -> u64 {
        let Side { store, instance, .. } = &mut self.ticking;
        let tell = instance.get_func(&mut *store, EXECUTIONS).expect("a function");
        let mut results = vec![Val::I64(0); PAGE];
        let mut sum = 0;
        for (page, costs) in self.costs.chunks(PAGE).enumerate() {
            tell.call(&mut *store, &[Val::I32(page as i32)], &mut results).expect("a page");
            let counts = results.iter().map(|count| count.unwrap_i64() as u64);
            sum += counts.zip(costs).map(|(count, cost)| count * cost).sum::<u64>();
        }
        sum
    }

    /// Both so far. For making an instance the engine adds a few of its own.
    fn counts(&mut self) -> (u64, u64) {
        let Side { store, instance, .. } = &mut self.ticking;
        let ticks = instance.get_global(&mut *store, TICKS).expect("a global");
        let ticks = ticks.get(store).unwrap_i64() as u64;
        let of_stretches = self.ticks_of_stretches();
        if self.skips {
            assert!(of_stretches <= ticks, "the ticks of the stretches of some functions");
        } else {
            assert_eq!(of_stretches, ticks, "the ticks of all stretches");
        }
        (MUCH - self.fuelled.store.get_fuel().expect("fuel"), ticks)
    }

    /// None: no such function.
    pub fn call(&mut self, name: &str, args: &[Val]) -> Option<Cost> {
        let before = self.counts();
        let ends = [self.fuelled.call(name, args)?, self.ticking.call(name, args)?];
        let after = self.counts();
        Some(Cost {
            fuel: after.0 - before.0,
            ticks: after.1 - before.1,
            returned: ends.iter().all(Result::is_ok),
            ends: ends.map(|end| end.unwrap_or_else(|why| why.root_cause().to_string())),
        })
    }
}
