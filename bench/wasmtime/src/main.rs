//! FIB.wasm WORK.wasm DEBUG.wasm STRIPPED.wasm - the cost of profiling in wasmtime: a guest's processor time without a
//! profiler and with toll-wasmtime. Each time is the least of several runs, which take turns. Also the cost of a module's
//! debug information.

use std::time::Duration;
use toll_wasmtime::{Clock, Options, Recorder};
use wasmtime::{Engine, Linker, Module, Store};

type Run = Box<dyn FnMut(i32)>;

fn linker(engine: &Engine) -> Linker<()> {
    let mut linker = Linker::new(engine);
    linker.func_wrap("env", "host", |n: i32| n * 2).unwrap();
    linker
}

fn plain(engine: &Engine, wasm: &[u8]) -> Run {
    let mut store = Store::new(engine, ());
    let module = Module::new(engine, wasm).unwrap();
    let instance = linker(engine).instantiate(&mut store, &module).unwrap();
    let run = instance.get_typed_func::<i32, i32>(&mut store, "run").unwrap();
    Box::new(move |n| assert!(run.call(&mut store, n).is_ok()))
}

fn profiled(engine: &Engine, wasm: &[u8], options: Options) -> Run {
    let mut store = Store::new(engine, ());
    let r = Recorder::new(engine, wasm, options).unwrap();
    let instance = r.instantiate(&mut store, &linker(engine)).unwrap();
    let run = instance.get_typed_func::<i32, i32>(&mut store, "run").unwrap();
    Box::new(move |n| assert!(run.call(&mut store, n).is_ok()))
}

/// The processor time of this thread.
fn processor_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // The call writes only to `now`.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    assert_eq!(failed, 0);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// The least time of each run, of several rounds.
fn least<const N: usize>(rounds: usize, mut runs: [Box<dyn FnMut() + '_>; N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (run, best) in runs.iter_mut().zip(&mut best) {
            let before = processor_time();
            run();
            *best = (*best).min(processor_time() - before);
        }
    }
    best
}

/// Writes a profile of the module, all functions of which have run.
fn writer(first: &Recorder, engine: &Engine, wasm: &[u8], no_debug: bool) -> Box<dyn FnMut()> {
    let options = Options { lines: true, inlines: true, no_debug, ..Options::default() };
    let r = first.another(wasm, options).unwrap();
    let mut store = Store::new(engine, ());
    let instance = r.instantiate(&mut store, &linker(engine)).unwrap();
    for export in r.module().exports().filter(|export| export.name().starts_with("run")) {
        let run = instance.get_typed_func::<(i32, i32), i32>(&mut store, export.name()).unwrap();
        run.call(&mut store, (100, 0)).unwrap();
    }
    Box::new(move || drop(r.bytes(&mut store, "pprof", "").unwrap()))
}

/// Print how much longer it takes to make a recorder of the module with debug information, and to write lines of all its
/// functions.
fn measure_debug_information(debug: &[u8], stripped: &[u8]) {
    let engine = Engine::default();
    let first = Recorder::new(&engine, stripped, Options::default()).unwrap();
    let make = |wasm| drop(first.another(wasm, Options::default()).unwrap());
    let made = least(5, [Box::new(|| make(stripped)), Box::new(|| make(debug))]);
    let written = least(5, [true, false].map(|no_debug| writer(&first, &engine, debug, no_debug)));
    for (what, times) in [("to make a recorder", made), ("to write a profile of lines", written)] {
        let [without, with] = times.map(|time| time.as_secs_f64() * 1e3);
        let ratio = with / without;
        println!("| `toll-wasmtime`: {what} | {without:.0} ms | {with:.0} ms | {ratio:.2} times |");
    }
}

/// How many times the first run each takes.
fn measure(title: &str, wasm: &[u8], n: i32, rounds: usize) -> Vec<(&'static str, f64)> {
    let engine = Engine::default();
    let with = |options| profiled(&engine, wasm, options);
    let guests = [
        ("without a profiler", plain(&engine, wasm)),
        ("calls", with(Options { no_ticks: true, ..Options::default() })),
        ("calls, ticks", with(Options::default())),
        ("calls, ticks, time", with(Options { clock: Clock::Monotonic, ..Options::default() })),
    ];
    let names = guests.each_ref().map(|(name, _)| *name);
    let best =
        least(rounds, guests.map(|(_, mut run)| Box::new(move || run(n)) as Box<dyn FnMut()>));
    println!("{title}");
    let ratios = names.into_iter().zip(best).map(|(name, spent)| {
        let ratio = spent.as_secs_f64() / best[0].as_secs_f64();
        println!("  {name:32} {:9.2} ms {ratio:7.2} times", spent.as_secs_f64() * 1e3);
        (name, ratio)
    });
    ratios.collect()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [fib, work, debug, stripped] = [1, 2, 3, 4].map(|i| std::fs::read(&args[i]).unwrap());
    let fib = measure("fib(30): nothing but calls", &fib, 30, 5);
    let work = measure("a hash, bodies, an interpreter, a sieve", &work, 300, 5);
    println!("for docs/performance.md:");
    for ((name, fib), (_, work)) in fib.iter().zip(&work).skip(1) {
        println!("| `toll-wasmtime`: {name} | {fib:.1} times | {work:.2} times |");
    }
    measure_debug_information(&debug, &stripped);
}
