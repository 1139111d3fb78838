//! What is recorded, and how.

use crate::support::*;
use std::{
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        Arc,
    },
    thread::sleep,
    time::Duration,
};
use toll_wasmtime::{Clock, Options, Recorder};
use wasmtime::{Caller, Config, Engine, Error, Linker, Result, Store};

fn work(options: Options, value: &str) -> String {
    let r = recorder("guest.wasm", options).unwrap();
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 10).unwrap();
    folded(&r, &mut store, value)
}

#[test]
fn which_functions_are_followed() {
    let only = Options { only: "^(work|leaf)$".into(), no_ticks: true, ..Options::default() };
    assert_eq!(stacks(&work(only, "calls")), stacks("work 1\nwork;leaf 20\n"));
    let skip = Options { skip: "^leaf$".into(), ..Options::default() };
    assert_eq!(stacks(&work(skip, "calls")), stacks("work 1\nwork;twice 10\n"));
    let depth = Options { depth: 2, ..Options::default() };
    assert_eq!(stacks(&work(depth, "calls")), stacks("work 1\nwork;twice 10\n"));
}

#[test]
fn costs() {
    let costs = Options { costs: "* 0\nentry 5\n".into(), ..Options::default() };
    let ticks = stacks(&work(costs, "ticks"));
    assert_eq!(ticks, stacks("work 5\nwork;twice 50\nwork;twice;leaf 100\n"));
}

#[test]
fn time_of_a_clock() {
    let now = AtomicU64::new(5);
    let clock = Clock::Function(Arc::new(move || now.fetch_add(7, Relaxed)));
    let times = stacks(&work(Options { clock, ..Options::default() }, "time"));
    assert_eq!(
        times["work;twice;leaf"],
        20 * 7,
        "a call that calls nothing is between two readings"
    );
    let times = stacks(&work(Options { clock: Clock::Monotonic, ..Options::default() }, "time"));
    assert!((1..1_000_000_000_000).contains(&times.values().sum::<u64>()), "{times:?}");
}

/// What a host function takes is its own, also if it calls the guest, or fails. Calls and ticks are
/// those without time.
#[test]
fn time_by_windows() {
    fn host(mut caller: Caller<'_, Data>, what: i32) -> Result<i32> {
        let guest = caller.data().clone().unwrap();
        sleep(Duration::from_millis(20));
        match what {
            1 => {
                call(&mut caller, &guest, "ask", 2)?;
                call(&mut caller, &guest, "work", 1000)?;
                sleep(Duration::from_millis(30));
                Ok(1)
            }
            3 => Err(Error::msg("the host fails")),
            _ => Ok(what),
        }
    }
    let run = |options: Options| {
        let r = recorder("guest.wasm", options).unwrap();
        let (mut store, mut linker) = with_host(r.module().engine());
        linker.allow_shadowing(true).func_wrap("env", "host", host).unwrap();
        let guest = r.instantiate(&mut store, &linker).unwrap();
        *store.data_mut() = Some(guest.clone());
        call(&mut store, &guest, "ask", 1).unwrap();
        call(&mut store, &guest, "ask", 3).unwrap_err();
        call(&mut store, &guest, "ask", 4).unwrap();
        (r, store)
    };
    let timed = |call_lines| Options { clock: Clock::Monotonic, call_lines, ..Options::default() };
    for (options, plain) in [
        (timed(false), Options::default()),
        (timed(true), Options { call_lines: true, ..Options::default() }),
    ] {
        let ((r, mut store), (other, mut others)) = (run(options), run(plain));
        for value in ["calls", "ticks"] {
            assert_eq!(folded(&r, &mut store, value), folded(&other, &mut others, value));
        }
        let times = stacks(&folded(&r, &mut store, "time"));
        for (stack, least) in [("ask;host", 90_000_000), ("ask;host;ask;host", 20_000_000)] {
            let found = times.iter().filter(|(name, _)| of_functions(name) == stack);
            let ns = found.map(|(_, ns)| ns).sum::<u64>();
            assert!((least..least + 80_000_000).contains(&ns), "{stack}: {times:?}");
        }
    }
}

/// A stack without the places of its calls: `ask:12;host:3` is `ask;host`.
fn of_functions(stack: &str) -> String {
    let names = stack.split(';').map(|frame| frame.split(':').next().unwrap());
    names.collect::<Vec<_>>().join(";")
}

/// toll.wasm's own work in its own stores does not run out of fuel, nor of time.
#[test]
fn an_engine_that_interrupts() {
    let engine = Engine::new(Config::new().consume_fuel(true).epoch_interruption(true)).unwrap();
    let r = Recorder::new(&engine, &file("programs.wasm"), Options::default()).unwrap();
    let (mut store, linker) = (Store::new(&engine, ()), Linker::new(&engine));
    store.set_fuel(1_000_000_000).unwrap();
    store.set_epoch_deadline(10);
    let guest = r.instantiate(&mut store, &linker).unwrap();
    call(&mut store, &guest, "run", 1).unwrap();
    assert_eq!(selves(&folded(&r, &mut store, "calls"))["primes"], 1);
}

/// The titles of a profile's threads: what is between `main` and what follows in quotes.
fn titles(profile: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(profile);
    let after = text.split("\"name\":\"main").skip(1);
    after.map(|title| title.split('"').next().unwrap().to_string()).collect()
}

/// tests/wasmtime/run.sh runs this again with a variable TOLL_LABELS, and with one that has none.
#[test]
fn labels() {
    let own = std::env::var("TOLL_LABELS").unwrap_or_default();
    let host = if own == "commit=1,host=a" { ", host=a" } else { "" };
    let options = Options { labels: "commit=2,zone=x".into(), ..Options::default() };
    let r = recorder("guest.wasm", options).unwrap();
    let expected = format!(" {{commit=2{host}, zone=x}}");
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 10).unwrap();
    for _ in 0..2 {
        let found = titles(&r.bytes(&mut store, "speedscope", "ticks").unwrap());
        assert!(!found.is_empty());
        assert!(found.iter().all(|title| title.starts_with(&expected)), "{found:?}");
        r.end(&mut store).unwrap(); // and then of what has ended
    }
    for wrong in ["host", "thread=x", "a=b\0"] {
        let options = Options { labels: wrong.into(), ..Options::default() };
        assert!(recorder("guest.wasm", options).is_err(), "{wrong}");
    }
}
