//! FIB.wasm WORK.wasm - what profiling costs in wasmtime: a guest's processor time without a profiler and with
//! toll-wasmtime, each the least of several runs that take turns.

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

/// That of this thread.
fn processor_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // The call writes only to `now`.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    assert_eq!(failed, 0);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// How many times the first run each takes.
fn measure(title: &str, wasm: &[u8], n: i32, rounds: usize) -> Vec<(&'static str, f64)> {
    let engine = Engine::default();
    let with = |options| profiled(&engine, wasm, options);
    let mut guests = [
        ("without a profiler", plain(&engine, wasm)),
        ("calls", with(Options { no_ticks: true, ..Options::default() })),
        ("calls, ticks", with(Options::default())),
        ("calls, ticks, time", with(Options { clock: Clock::Monotonic, ..Options::default() })),
    ];
    let mut best = [Duration::MAX; 4];
    for _ in 0..rounds {
        for ((_, run), best) in guests.iter_mut().zip(&mut best) {
            let before = processor_time();
            run(n);
            *best = (*best).min(processor_time() - before);
        }
    }
    println!("{title}");
    let ratios = guests.iter().zip(best).map(|((name, _), spent)| {
        let ratio = spent.as_secs_f64() / best[0].as_secs_f64();
        println!("  {name:32} {:9.2} ms {ratio:7.2} times", spent.as_secs_f64() * 1e3);
        (*name, ratio)
    });
    ratios.collect()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [fib, work] = [&args[1], &args[2]].map(|path| std::fs::read(path).unwrap());
    let fib = measure("fib(30): nothing but calls", &fib, 30, 5);
    let work = measure("a hash, bodies, an interpreter, a sieve", &work, 300, 5);
    println!("for docs/performance.md:");
    for ((name, fib), (_, work)) in fib.iter().zip(&work).skip(1) {
        println!("| `toll-wasmtime`: {name} | {fib:.1} times | {work:.2} times |");
    }
}
