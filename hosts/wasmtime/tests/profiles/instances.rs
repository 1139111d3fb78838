//! Several instances, in one store and in many.

use crate::support::*;
use toll_wasmtime::Options;
use wasmtime::{Linker, Store};

#[test]
fn add_up_in_one_store_and_after_their_end() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, linker) = with_host(engine());
    let all = [(); 3].map(|()| r.instantiate(&mut store, &linker).unwrap());
    for n in 0..4 {
        for each in &all {
            call(&mut store, each, "work", n).unwrap();
            call(&mut store, each, "trap", n).unwrap_err();
        }
    }
    let before = folded(&r, &mut store, "ticks");
    let calls = selves(&folded(&r, &mut store, "calls"));
    // 6 calls of twice; 2 of leaf in each, and 1 in each of 4 traps.
    let expected = [("work", 12), ("twice", 18), ("leaf", 48), ("trap", 12), ("fall", 12)];
    for (name, count) in expected {
        assert_eq!(calls[name], count, "{name}");
    }
    for _ in 0..2 {
        r.end(&mut store).unwrap();
        assert_eq!(folded(&r, &mut store, "ticks"), before);
    }
    let again = r.instantiate(&mut store, &linker).unwrap();
    call(&mut store, &again, "work", 1).unwrap();
    assert_eq!(selves(&folded(&r, &mut store, "calls"))["work"], 13);
}

#[test]
fn a_store_for_each_in_several_threads() {
    const EACH: i32 = 5;
    let r = recorder("guest.wasm", Options::default()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for n in 0..EACH {
                    let (mut store, guest) = instance(&r);
                    call(&mut store, &guest, "work", n).unwrap();
                    call(&mut store, &guest, "ask", 2).unwrap();
                    r.end(&mut store).unwrap();
                }
            });
        }
    });
    let (mut store, _) = with_host(engine());
    let profile = folded(&r, &mut store, "calls");
    let calls = selves(&profile);
    assert_eq!((calls["work"], calls["twice"], calls["fall"]), (15, 30, 15));
    assert!(!profile.contains("missing"), "{profile}");
}

/// Two guests in one store, whose functions have the same numbers, take turns: each has its own toll.wasm.
#[test]
fn of_two_guests_in_one_store() {
    let one = recorder("guest.wasm", Options::default()).unwrap();
    let two = recorder("two.wasm", Options::default()).unwrap();
    let (mut store, mut linker) = (Store::new(engine(), ()), Linker::new(engine()));
    linker.func_wrap("env", "host", |_: i32| 0).unwrap();
    let first = one.instantiate(&mut store, &linker).unwrap();
    let second = two.instantiate(&mut store, &linker).unwrap();
    for _ in 0..3 {
        call(&mut store, &first, "ask", 2).unwrap();
        call(&mut store, &second, "run", 1).unwrap();
    }
    let expected = "begin 1\nbegin;host 1\nrun 3\nrun;host 3\n";
    assert_eq!(stacks(&folded(&two, &mut store, "calls")), stacks(expected));
    let expected = "ask 3\nask;host 3\nask;leaf 3\n";
    assert_eq!(stacks(&folded(&one, &mut store, "calls")), stacks(expected));
}

/// Stores that are dropped, and others that exist: a note counts their instances.
#[test]
fn that_are_missing_are_counted() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut other_store, other) = instance(&r);
    call(&mut other_store, &other, "fib", 3).unwrap();
    for _ in 0..2 {
        let (mut store, guest) = instance(&r);
        call(&mut store, &guest, "fib", 3).unwrap();
    }
    let (mut store, guest) = instance(&r); // it may be where a dropped one was
    call(&mut store, &guest, "work", 1).unwrap();
    let profile = r.bytes(&mut store, "pprof", "").unwrap();
    std::fs::write(path("missing.pb"), profile).unwrap();
    let report = toll(&["report", "--json", "missing.pb"]);
    let notes = &report[report.find("\"notes\"").expect("notes")..];
    for (count, what) in [(2, "dropped before"), (1, "in other stores")] {
        let note = notes.split('{').find(|note| note.contains(what));
        let note = note.unwrap_or_else(|| panic!("no note of what is {what}: {notes}"));
        assert!(note.contains(&format!("\"count\":{count}")), "{note}");
    }
    assert!(!selves(&folded(&r, &mut store, "calls")).contains_key("fib"));
}
