//! MODE APP ARGS - runs a WASI program in wasmtime, for bench/wasm/perf_shares.py, and prints how long it takes, without
//! compiling it: MODE is plain (with a map of its functions for perf), ticks (toll-wasmtime records calls and ticks), time (time,
//! too), or each (the clock is read at each event). The profile goes to the file $PROFILE.

use std::{env, fs, sync::Arc, time::Instant};
use toll_wasmtime::{Clock, Options, Recorder};
use wasmtime::{Config, Engine, Linker, Module, ProfilingStrategy, Store};
use wasmtime_wasi::{p1, WasiCtx};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let (mode, app) = (args[0].as_str(), fs::read(&args[1]).unwrap());
    let mut config = Config::new();
    if mode == "plain" {
        config.profiler(ProfilingStrategy::PerfMap);
    }
    let engine = Engine::new(&config).unwrap();
    let wasi = WasiCtx::builder().inherit_stdio().args(&args[1..]).build_p1();
    let (mut store, mut linker) = (Store::new(&engine, wasi), Linker::new(&engine));
    p1::add_to_linker_sync(&mut linker, |wasi| wasi).unwrap();
    let print = |began: Instant| eprintln!("{mode}: {:.3} s", began.elapsed().as_secs_f64());
    // A program ends by an error that has its status.
    if mode == "plain" {
        let module = Module::new(&engine, &app).unwrap();
        let began = Instant::now();
        let instance = linker.instantiate(&mut store, &module).unwrap();
        let start = instance.get_typed_func::<(), ()>(&mut store, "_start").unwrap();
        let _ = start.call(&mut store, ());
        print(began);
    } else {
        let began = Instant::now();
        let clock = match mode {
            "time" => Clock::Monotonic,
            "each" => Clock::Function(Arc::new(move || began.elapsed().as_nanos() as u64)),
            _ => Clock::None,
        };
        let options = Options { clock, ..Options::default() };
        let r = Recorder::new(&engine, &app, options).unwrap();
        let began = Instant::now();
        let instance = r.instantiate(&mut store, &linker).unwrap();
        let start = instance.get_typed_func::<(), ()>(&mut store, "_start").unwrap();
        let _ = start.call(&mut store, ());
        print(began);
        r.profile(&mut store, env::var("PROFILE").unwrap()).unwrap();
    }
}
