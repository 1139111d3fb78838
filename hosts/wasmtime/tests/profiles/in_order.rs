//! Every call in the order of the run.

use crate::support::*;
use std::sync::{
    atomic::{AtomicU64, Ordering::Relaxed},
    Arc,
};
use toll_wasmtime::{Clock, Options};

fn by_stack(path: &str, value: &str) -> String {
    toll(&["convert", "-q", "--to", "folded", "--value", value, "--focus", ".", "-o", "-", path])
}

/// A profile of the timeline has the calls and costs of the profile, and other programs' formats the order.
#[test]
fn has_what_the_profile_has() {
    let steps = || {
        let now = AtomicU64::new(0);
        Clock::Function(Arc::new(move || now.fetch_add(7, Relaxed)))
    };
    for (how, clock, axis) in [("ticks", Clock::None, "ticks"), ("time", steps(), "time")] {
        let options = Options { clock, timeline: true, ..Options::default() };
        let r = recorder("guest.wasm", options).unwrap();
        let (mut store, guest) = instance(&r);
        for n in 0..4 {
            call(&mut store, &guest, "work", n).unwrap();
            call(&mut store, &guest, "trap", n).unwrap_err();
            call(&mut store, &guest, "ask", n % 3).unwrap();
        }
        let [timeline, profile] =
            ["toll-timeline", "pb.gz"].map(|end| format!("order.{how}.{end}"));
        r.timeline(&mut store, path(&timeline)).unwrap();
        r.profile(&mut store, path(&profile)).unwrap();
        for value in ["calls", axis] {
            assert!(by_stack(&profile, value).lines().count() > 10, "{how}, {value}");
            assert_eq!(by_stack(&timeline, value), by_stack(&profile, value), "{how}, {value}");
        }
        for end in ["speedscope.json", "trace.json", "folded", "toll-timeline.gz"] {
            let name = format!("order.{how}.{end}");
            r.timeline(&mut store, path(&name)).unwrap();
            toll(&["check", "-q", &name]);
        }
    }
}

#[test]
fn is_that_of_the_run() {
    let options = Options { timeline: true, ..Options::default() };
    let r = recorder("guest.wasm", options).unwrap();
    let (mut store, guest) = instance(&r);
    call(&mut store, &guest, "work", 1).unwrap();
    call(&mut store, &guest, "ask", 1).unwrap();
    r.timeline(&mut store, path("order.folded")).unwrap();
    let order: Vec<String> = text("order.folded")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').unwrap().0.to_string())
        .collect();
    let twice = ["twice", "twice;leaf", "twice", "twice;leaf", "twice", ""];
    let work = |stack: &str, n: usize| -> Vec<String> {
        let each = [&[""][..], &twice.repeat(n)].concat().into_iter();
        each.map(|callee| format!("{stack};{callee}").trim_end_matches(';').to_string()).collect()
    };
    let ask = ["ask", "ask;leaf", "ask", "ask;host"].map(str::to_string).to_vec();
    let end = vec!["ask".to_string()];
    let expected = [work("work", 1), ask, work("ask;host;work", 3), end].concat();
    assert_eq!(order, expected);
}

#[test]
fn is_of_one_instance_and_must_be_recorded() {
    let message = |r: &toll_wasmtime::Recorder, store: &mut wasmtime::Store<Data>| {
        r.timeline(store, path("none.speedscope.json")).unwrap_err().to_string()
    };
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, _) = instance(&r);
    assert!(message(&r, &mut store).contains("Options::timeline"), "{}", message(&r, &mut store));
    let r = recorder("guest.wasm", Options { timeline: true, ..Options::default() }).unwrap();
    let (mut store, _) = instance(&r);
    let (_other, _) = instance(&r);
    assert!(message(&r, &mut store).contains("one instance"), "{}", message(&r, &mut store));
    assert!(!path("none.speedscope.json").exists());
    let none = Options { timeline: true, no_ticks: true, ..Options::default() };
    let r = recorder("guest.wasm", none).unwrap();
    let (mut store, linker) = with_host(engine());
    let error = r.instantiate(&mut store, &linker).err().expect("no axis").to_string();
    assert!(error.contains("ticks or time"), "{error}");
}
