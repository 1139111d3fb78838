//! Asynchronous stores: what guests are charged that are suspended, and their end when their futures are dropped.

use crate::support::*;
use std::{
    collections::BTreeMap,
    future::{poll_fn, Future},
    panic::{catch_unwind, AssertUnwindSafe},
    pin::Pin,
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        Arc, OnceLock,
    },
    task::{Context, Poll, Waker},
};
use toll_wasmtime::{Clock, Instance, Options, Recorder};
use wasmtime::{Caller, Config, Engine, Error, Linker, Result, Store, Trap, Val};

/// With fuel and epochs, by which guests yield where a test says so.
fn yielding() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let mut config = Config::new();
        #[allow(deprecated)] // of no effect in new versions, and needed in old ones
        config.async_support(true);
        Engine::new(config.consume_fuel(true).epoch_interruption(true)).unwrap()
    })
}

fn async_recorder(guest: &str, options: Options) -> Recorder {
    static FIRST: OnceLock<Recorder> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        Recorder::new(yielding(), &file("two.wasm"), Options::default()).expect("a recorder")
    });
    first.another(&file(guest), Options { name: guest.into(), ..options }).unwrap()
}

/// Pending, once.
async fn pause() {
    let mut is_paused = false;
    poll_fn(|_| match std::mem::replace(&mut is_paused, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await
}

const FOR_EVER: i32 = 5;
const DROPS_INNER: i32 = 6;

async fn host(mut caller: Caller<'_, Data>, what: i32) -> Result<i32> {
    pause().await;
    let guest = caller.data().clone().unwrap();
    match what {
        1 => call_async(&mut caller, &guest, "work", 3).await,
        2 => Ok(call_async(&mut caller, &guest, "trap", 4).await.unwrap_or(-1)),
        3 => Err(Error::msg("the host fails")),
        4 => panic!("the host panics"),
        FOR_EVER => std::future::pending().await,
        DROPS_INNER => {
            let mut inner = Box::pin(call_async(&mut caller, &guest, "ask", FOR_EVER));
            for _ in 0..2 {
                assert!(
                    poll_fn(|context| Poll::Ready(inner.as_mut().poll(context).is_pending())).await
                );
                pause().await;
            }
            drop(inner);
            pause().await;
            call_async(&mut caller, &guest, "work", 1).await
        }
        _ => Ok(what),
    }
}

type Host =
    for<'a> fn(Caller<'a, Data>, i32) -> Pin<Box<dyn Future<Output = Result<i32>> + Send + 'a>>;

fn boxed(
    caller: Caller<'_, Data>,
    what: i32,
) -> Pin<Box<dyn Future<Output = Result<i32>> + Send + '_>> {
    Box::pin(host(caller, what))
}

async fn instance_with(r: &Recorder, host: Host) -> (Store<Data>, Instance) {
    let (mut store, mut linker) = (Store::new(yielding(), None), Linker::new(yielding()));
    linker
        .func_wrap_async("env", "host", move |caller: Caller<'_, Data>, (what,): (i32,)| {
            Box::new(host(caller, what))
        })
        .unwrap();
    store.set_fuel(1 << 60).unwrap();
    store.set_epoch_deadline(1 << 60);
    let instance = r.instantiate_async(&mut store, &linker).await.unwrap();
    *store.data_mut() = Some(instance.clone());
    (store, instance)
}

async fn async_instance(r: &Recorder) -> (Store<Data>, Instance) {
    instance_with(r, boxed).await
}

async fn folded_async(r: &Recorder, store: &mut Store<Data>, value: &str) -> String {
    String::from_utf8(r.bytes_async(store, "folded", value).await.unwrap()).unwrap()
}

/// Whether the future is still pending.
fn poll_once<F: Future + ?Sized>(future: Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

/// Poll until it is ready, calling `between` each time that it is not; how often that was.
fn run<F: Future>(future: F, mut between: impl FnMut()) -> (F::Output, u64) {
    let mut future = Box::pin(future);
    for pauses in 0.. {
        if let Some(result) = poll_once(future.as_mut()) {
            return (result, pauses);
        }
        between();
    }
    unreachable!()
}

fn finish<F: Future>(future: F) -> F::Output {
    run(future, || {}).0
}

/// What tests/wazero/node.mjs does.
async fn as_node(store: &mut Store<Data>, guest: &Instance) {
    for (name, n) in [("work", 100), ("fib", 15)] {
        call_async(&mut *store, guest, name, n).await.unwrap();
    }
    let trap = call_async(&mut *store, guest, "trap", 6).await.unwrap_err();
    assert_eq!(trap.downcast_ref(), Some(&Trap::UnreachableCodeReached), "{trap:?}");
    for what in 0..3 {
        call_async(&mut *store, guest, "ask", what).await.unwrap();
    }
    let error = call_async(&mut *store, guest, "ask", 3).await.unwrap_err();
    assert!(format!("{error:?}").contains("the host fails"), "{error:?}");
    call_async(&mut *store, guest, "work", 7).await.unwrap();
    let paths = guest.get_func(&mut *store, "paths").unwrap();
    paths.call_async(&mut *store, &[Val::I32(5)], &mut []).await.unwrap();
}

/// In what host functions, fuel or epochs suspend, calls and ticks are those of Node, which suspends nothing.
#[test]
fn calls_and_ticks() {
    for (how, at_least) in [("host", 4), ("fuel", 1000), ("epoch", 1000)] {
        let r = async_recorder("guest.wasm", Options::default());
        let (mut store, guest) = finish(async_instance(&r));
        match how {
            "fuel" => store.fuel_async_yield_interval(Some(100)).unwrap(),
            "epoch" => {
                store.set_epoch_deadline(0);
                store.epoch_deadline_async_yield_and_update(0); // wherever the engine looks
            }
            _ => {}
        }
        let ((), pauses) = run(as_node(&mut store, &guest), || {});
        assert!(pauses >= at_least, "{how}: {pauses}");
        for value in ["ticks", "calls"] {
            let ours = finish(folded_async(&r, &mut store, value));
            assert_eq!(ours, text(&format!("node.{value}.folded")), "{how}, {value}");
        }
        let ticks = stacks(&finish(folded_async(&r, &mut store, "ticks"))).values().sum::<u64>();
        assert_eq!(finish(guest.ticks_async(&mut store)).unwrap(), ticks);
    }
}

/// Two guests on one thread, each of which runs while the other is suspended: each has its own stack, and what it
/// would have alone.
#[test]
fn two_stores_in_turns() {
    let options = || Options { name: "guest.wasm".into(), ..Options::default() };
    let r = async_recorder("guest.wasm", options());
    let (mut a, first) = finish(async_instance(&r));
    let (mut b, second) = finish(async_instance(&r));
    for (store, interval) in [(&mut a, 70), (&mut b, 110)] {
        store.fuel_async_yield_interval(Some(interval)).unwrap();
    }
    let mut one = Box::pin(as_node(&mut a, &first));
    let mut other = Box::pin(as_node(&mut b, &second));
    let (mut turns, mut left) = (0, [true, true]);
    while left != [false, false] {
        if left[0] {
            left[0] = poll_once(one.as_mut()).is_none();
        }
        if left[1] {
            left[1] = poll_once(other.as_mut()).is_none();
        }
        turns += u32::from(left == [true, true]);
    }
    assert!(turns > 500, "{turns}");
    drop((one, other));
    finish(r.end_async(&mut a)).unwrap();
    for value in ["ticks", "calls"] {
        let both = stacks(&finish(folded_async(&r, &mut b, value)));
        let alone = stacks(&text(&format!("node.{value}.folded")));
        let twice = alone.into_iter().map(|(stack, n)| (stack, 2 * n)).collect();
        assert_eq!(both, twice, "{value}");
    }
}

static NOW: AtomicU64 = AtomicU64::new(0);

/// The host takes 10 in front of a pause, and 1 behind it.
fn takes_time(
    _: Caller<'_, Data>,
    what: i32,
) -> Pin<Box<dyn Future<Output = Result<i32>> + Send + '_>> {
    Box::pin(async move {
        NOW.fetch_add(10, Relaxed);
        if what != 0 {
            pause().await;
        }
        NOW.fetch_add(1, Relaxed);
        if what == FOR_EVER {
            std::future::pending::<()>().await;
        }
        Ok(what)
    })
}

/// Time passes for a guest while its future is polled: neither what passes between two polls is its, nor after a drop.
#[test]
fn time_stands_while_suspended() {
    let clock = || Clock::Function(Arc::new(|| NOW.load(Relaxed)));
    let r = async_recorder("guest.wasm", Options { clock: clock(), ..Options::default() });
    let (mut a, first) = finish(instance_with(&r, takes_time));
    let (mut b, second) = finish(instance_with(&r, takes_time));
    let later = || {
        NOW.fetch_add(1000, Relaxed);
    };
    {
        let mut one = Box::pin(call_async(&mut a, &first, "ask", 1));
        let mut other = Box::pin(call_async(&mut b, &second, "ask", 2));
        for _ in 0..2 {
            poll_once(one.as_mut());
            later();
            poll_once(other.as_mut());
            later();
        }
    }
    b.fuel_async_yield_interval(Some(50)).unwrap();
    let (result, pauses) = run(call_async(&mut b, &second, "work", 10), later);
    assert!(result.is_ok() && pauses > 10, "{pauses}");
    let mut dropped = Box::pin(call_async(&mut a, &first, "ask", FOR_EVER));
    for _ in 0..2 {
        poll_once(dropped.as_mut());
        later();
    }
    drop(dropped);
    later();
    run(call_async(&mut a, &first, "ask", 1), later).0.unwrap();
    finish(r.end_async(&mut b)).unwrap();
    let times = selves(&finish(folded_async(&r, &mut a, "time")));
    let charged: u64 = times.iter().filter(|(name, _)| *name != "(outside)").map(|(_, n)| n).sum();
    assert_eq!((times["host"], charged), (4 * 11, 4 * 11), "{times:?}");
}

fn note(r: &Recorder, store: &mut Store<Data>, what: &str) -> u64 {
    let profile = finish(r.bytes_async(store, "pprof", "")).unwrap();
    static FILES: AtomicU64 = AtomicU64::new(0); // tests run at the same time
    let name = format!("note.{}.pb", FILES.fetch_add(1, Relaxed));
    std::fs::write(path(&name), profile).unwrap();
    let report = toll(&["report", "--json", &name]);
    let notes = &report[report.find("\"notes\"").expect("notes")..];
    let Some(note) = notes.split('{').find(|note| note.contains(what)) else { return 0 };
    let count = note.split("\"count\":").nth(1).expect("a count");
    count.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// The functions of a call whose future is dropped end, and a note counts it.
#[test]
fn a_dropped_future() {
    let r = async_recorder("guest.wasm", Options::default());
    let (mut store, guest) = finish(async_instance(&r));
    for polls in 0..4 {
        let mut asked = Box::pin(call_async(&mut store, &guest, "ask", FOR_EVER));
        for _ in 0..polls {
            assert!(poll_once(asked.as_mut()).is_none());
        }
    }
    run(call_async(&mut store, &guest, "work", 1), || {}).0.unwrap();
    let calls = stacks(&finish(folded_async(&r, &mut store, "calls")));
    let expected = "ask 3\nask;leaf 3\nask;host 3\nwork 1\nwork;twice 1\nwork;twice;leaf 2\n";
    assert_eq!(calls, stacks(expected));
    assert_eq!(note(&r, &mut store, "dropped before they returned"), 3);
    assert_eq!(note(&r, &mut store, "ends were not seen"), 0);
}

/// A host function drops the call that it made, and goes on; or is dropped together with that.
#[test]
fn a_dropped_future_within_a_call() {
    let r = async_recorder("guest.wasm", Options::default());
    let (mut store, guest) = finish(async_instance(&r));
    finish(call_async(&mut store, &guest, "ask", DROPS_INNER)).unwrap();
    for polls in 1..5 {
        let mut asked = Box::pin(call_async(&mut store, &guest, "ask", DROPS_INNER));
        for _ in 0..polls {
            assert!(poll_once(asked.as_mut()).is_none());
        }
    }
    finish(call_async(&mut store, &guest, "work", 1)).unwrap();
    let calls = stacks(&finish(folded_async(&r, &mut store, "calls")));
    let inner = calls["ask;host;ask;host"];
    assert_eq!((calls["ask;host"], calls["ask;host;ask"]), (5, inner), "{calls:?}");
    assert_eq!((calls["ask;host;work"], calls["work"]), (1, 1), "{calls:?}");
    assert!(!calls.keys().any(|stack| stack.contains("host;ask;host;")), "{calls:?}");
    assert_eq!(note(&r, &mut store, "ends were not seen"), 0);
}

/// What `paths(2)` calls, in order.
fn calls_of_paths() -> Vec<String> {
    let turn = |path: i32| if path & 1 == 1 { "left" } else { "right" };
    let each = |path: i32| {
        let outer = format!("paths;{}", turn(path));
        [outer.clone(), format!("{outer};{}", turn(path >> 1))]
    };
    [vec!["paths".to_string()], (0..4).flat_map(each).collect()].concat()
}

/// Wherever fuel suspends the guest, also within an event, dropping it leaves nothing open, and what was called until
/// then is counted once. Only where memory was being allocated is the recording lost.
#[test]
fn a_future_that_is_dropped_wherever_fuel_yields() {
    let (order, mut lost) = (calls_of_paths(), 0);
    for how in ["ticks", "time", "lines of calls", "ticks in order", "time in order"] {
        let clock = if how.starts_with("time") { Clock::Monotonic } else { Clock::None };
        let (call_lines, timeline) = (how == "lines of calls", how.ends_with("in order"));
        let options = Options { clock, call_lines, timeline, ..Options::default() };
        let mut r = async_recorder("guest.wasm", options.clone());
        let (mut store, mut guest) = finish(async_instance(&r));
        let mut total = BTreeMap::new();
        for polls in 1.. {
            store.fuel_async_yield_interval(Some(5)).unwrap();
            let mut dropped = Box::pin(call_async(&mut store, &guest, "paths", 2));
            let is_ready = (0..polls).any(|_| poll_once(dropped.as_mut()).is_some());
            drop(dropped);
            store.fuel_async_yield_interval(None).unwrap();
            if let Err(error) = finish(call_async(&mut store, &guest, "work", 1)) {
                assert!(error.to_string().contains("allocated memory"), "{how}, {polls}: {error}");
                if lost == 0 {
                    assert_eq!(note(&r, &mut store, "allocated memory"), 1);
                }
                lost += 1;
                r = async_recorder("guest.wasm", options.clone());
                (store, guest) = finish(async_instance(&r));
                total = BTreeMap::new();
                continue;
            }
            let now = stacks(&finish(folded_async(&r, &mut store, "calls")));
            let mut more = now.clone();
            more.iter_mut().for_each(|(stack, n)| *n -= total.get(stack).unwrap_or(&0));
            total = now;
            assert_eq!(more.remove("work;twice;leaf"), Some(2), "{how}, {polls}: {more:?}");
            more.retain(|stack, n| *n > 0 && !stack.starts_with("work"));
            let mut until_then = BTreeMap::new();
            let mut order = order.iter();
            while more != until_then {
                let next = order.next().unwrap_or_else(|| panic!("{how}, {polls}: {more:?}"));
                *until_then.entry(next.clone()).or_default() += 1;
            }
            if is_ready {
                assert!(order.next().is_none(), "{how}: {more:?}");
                break;
            }
        }
        let ticks = stacks(&finish(folded_async(&r, &mut store, "ticks"))).values().sum::<u64>();
        assert_eq!(finish(guest.ticks_async(&mut store)).unwrap(), ticks, "{how}");
        if how == "time" {
            let times = stacks(&finish(folded_async(&r, &mut store, "time")));
            let own = note(&r, &mut store, "nanoseconds that the profiler took");
            let all = note(&r, &mut store, "nanoseconds that the samples represent");
            assert_eq!(times.values().sum::<u64>() + own, all, "by windows");
        }
        if timeline {
            for name in ["dropped.toll-timeline", "dropped.pb.gz"] {
                let file = path(name);
                match name.ends_with("gz") {
                    true => finish(r.profile_async(&mut store, file)).unwrap(),
                    false => finish(r.timeline_async(&mut store, file)).unwrap(),
                }
            }
            for value in ["calls", how.split(' ').next().unwrap()] {
                let [order, profile] =
                    ["dropped.toll-timeline", "dropped.pb.gz"].map(|name| below(".", name, value));
                assert_eq!(order, profile, "{value}");
            }
        }
    }
    println!("{lost} recordings were lost");
}

#[test]
fn a_panic_of_the_host_in_a_future() {
    let r = async_recorder("guest.wasm", Options::default());
    let (mut store, guest) = finish(async_instance(&r));
    for _ in 0..2 {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            finish(call_async(&mut store, &guest, "ask", 4)).is_ok()
        }));
        assert!(asked.is_err());
    }
    finish(call_async(&mut store, &guest, "work", 1)).unwrap();
    let calls = stacks(&finish(folded_async(&r, &mut store, "calls")));
    assert_eq!((calls["ask;host"], calls["work;twice;leaf"]), (2, 2), "{calls:?}");
    assert_eq!(note(&r, &mut store, "dropped before"), 0);
}

/// The start function of a module waits for the host, too.
#[test]
fn a_start_function_that_is_suspended() {
    let r = async_recorder("two.wasm", Options::default());
    let (mut store, mut linker) = (Store::new(yielding(), 1), Linker::new(yielding()));
    store.set_fuel(1 << 60).unwrap();
    store.set_epoch_deadline(1 << 60);
    linker
        .func_wrap_async("env", "host", |caller: Caller<'_, i32>, (_,): (i32,)| {
            Box::new(async move {
                pause().await;
                *caller.data()
            })
        })
        .unwrap();
    let (made, pauses) = run(r.instantiate_async(&mut store, &linker), || {});
    assert!(made.is_err() && pauses == 1, "{pauses}");
    *store.data_mut() = 0;
    let mut given_up = Box::pin(r.instantiate_async(&mut store, &linker));
    assert!(poll_once(given_up.as_mut()).is_none());
    drop(given_up);
    let guest = finish(r.instantiate_async(&mut store, &linker)).unwrap();
    finish(call_async(&mut store, &guest, "run", 1)).unwrap();
    let profile = finish(r.bytes_async(&mut store, "folded", "calls")).unwrap();
    let expected = "begin 3\nbegin;host 3\nrun 1\nrun;host 1\n";
    assert_eq!(stacks(&String::from_utf8(profile).unwrap()), stacks(expected));
}

/// A server on several threads, with a limit to the time of each request.
#[test]
fn requests_of_tokio() {
    use tokio::{runtime::Builder, time};
    const SOON: time::Duration = time::Duration::from_millis(20);
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let r = Arc::new(async_recorder(
        "guest.wasm",
        Options { clock: Clock::Monotonic, ..Options::default() },
    ));
    let request = |n: i32| {
        let r = r.clone();
        async move {
            let (mut store, guest) = instance_with(&r, |_, what| {
                Box::pin(async move {
                    time::sleep(if what == FOR_EVER { time::Duration::MAX } else { SOON / 20 })
                        .await;
                    Ok(what)
                })
            })
            .await;
            store.fuel_async_yield_interval(Some(1000)).unwrap();
            call_async(&mut store, &guest, "work", n).await.unwrap();
            call_async(&mut store, &guest, "ask", 0).await.unwrap();
            let asked = call_async(&mut store, &guest, "ask", FOR_EVER);
            time::timeout(SOON, asked).await.expect_err("it has no end");
            call_async(&mut store, &guest, "work", 1).await.unwrap();
            r.end_async(&mut store).await.unwrap();
        }
    };
    runtime.block_on(async {
        let all: Vec<_> = (0..8).map(|n| tokio::spawn(request(n))).collect();
        for each in all {
            each.await.unwrap();
        }
    });
    let (mut store, _) = finish(async_instance(&r));
    let calls = selves(&finish(folded_async(&r, &mut store, "calls")));
    let expected = [("work", 16), ("twice", 36), ("ask", 16), ("host", 16)];
    for (name, count) in expected {
        assert_eq!(calls[name], count, "{name}");
    }
    assert_eq!(note(&r, &mut store, "dropped before they returned"), 8);
}

#[test]
fn files_and_reports() {
    let r = async_recorder("guest.wasm", Options::default());
    let (mut store, guest) = finish(async_instance(&r));
    finish(call_async(&mut store, &guest, "work", 10)).unwrap();
    finish(r.profile_async(&mut store, path("async.folded"))).unwrap();
    assert_eq!(file("async.folded"), finish(r.bytes_async(&mut store, "folded", "")).unwrap());
    let top = finish(r.top_async(&mut store, "calls", 1)).unwrap();
    assert!(top.contains("leaf") && !top.contains("twice"), "{top}");
    assert!(finish(r.tree_async(&mut store, "ticks", 0)).unwrap().contains("twice"));
}
