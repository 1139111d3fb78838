//! A module as it is, with fuel, beside what Toll makes of it, with ticks.

use crate::toll;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::Arc;
use wasmtime::{Engine, Extern, Instance, Linker, Module, Store, Val};
use wasmtime_wast::{link_spectest, SpectestConfig};

const MUCH: u64 = 1 << 60;
const MAY_LEAVE: i32 = 1;

pub struct Engines {
    pub fuelled: Engine,
    pub plain: Engine,
}

pub struct Pair {
    fuelled: (Store<()>, Instance),
    ticking: (Store<()>, Instance),
}

/// What a call took.
pub struct Cost {
    pub fuel: u64,
    pub ticks: u64,
    /// Both came back, and did not trap or throw.
    pub returned: bool,
}

fn linker(store: &mut Store<()>) -> wasmtime::Result<Linker<()>> {
    let mut linker = Linker::new(store.engine());
    let spectest = SpectestConfig { use_shared_memory: true, suppress_prints: true };
    link_spectest(&mut linker, store, &spectest)?;
    linker.func_wrap("env", "host", |x: i32| x.wrapping_mul(2))?;
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

fn instance(engine: &Engine, module: &[u8], fuel: bool) -> wasmtime::Result<(Store<()>, Instance)> {
    let mut store = Store::new(engine, ());
    if fuel {
        store.set_fuel(MUCH)?;
    }
    let linker = linker(&mut store)?;
    let instance = linker.instantiate(&mut store, &Module::new(engine, module)?)?;
    Ok((store, instance))
}

impl Pair {
    /// None: the module cannot be run by itself here.
    pub fn new(engines: &Engines, module: &[u8]) -> Option<Pair> {
        let fuelled = instance(&engines.fuelled, module, true).ok()?;
        let new = toll::instrument(module, toll::FUEL).expect("a good module");
        let ticking = instance(&engines.plain, &new, false).expect("the same of the new module");
        Some(Pair { fuelled, ticking })
    }

    /// Both so far. For making an instance the engine adds a few of its own.
    fn counts(&mut self) -> (u64, u64) {
        let (store, instance) = &mut self.ticking;
        let Some(Extern::Global(ticks)) = instance.get_export(&mut *store, "toll:ticks") else {
            panic!("no global toll:ticks");
        };
        let ticks = ticks.get(&mut *store).unwrap_i64() as u64;
        (MUCH - self.fuelled.0.get_fuel().expect("fuel"), ticks)
    }

    /// None: no such function.
    pub fn call(&mut self, name: &str, args: &[Val]) -> Option<Cost> {
        let before = self.counts();
        let returned = [&mut self.fuelled, &mut self.ticking].map(|(store, instance)| {
            let function = instance.get_func(&mut *store, name)?;
            let count = function.ty(&mut *store).results().len();
            Some(function.call(&mut *store, args, &mut vec![Val::I32(0); count]).is_ok())
        });
        let after = self.counts();
        Some(Cost {
            fuel: after.0 - before.0,
            ticks: after.1 - before.1,
            returned: returned[0]? & returned[1]?,
        })
    }
}
