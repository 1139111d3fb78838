//! Calls, ticks, heap and lines are those of Node for the same run.

use crate::support::*;
use toll_wasmtime::{Options, Recorder};
use wasmtime::{Linker, Store, Trap};

/// What tests/wazero/node.mjs does.
fn as_node(r: &Recorder) -> (Store<Data>, toll_wasmtime::Instance) {
    let (mut store, guest) = instance(r);
    let mut call = |name, n| call(&mut store, &guest, name, n);
    call("work", 100).unwrap();
    call("fib", 15).unwrap();
    let trap = call("trap", 6).unwrap_err();
    assert_eq!(trap.downcast_ref(), Some(&Trap::UnreachableCodeReached), "{trap:?}");
    for what in 0..3 {
        call("ask", what).unwrap();
    }
    let error = call("ask", 3).unwrap_err();
    assert!(format!("{error:?}").contains("the host fails"), "{error:?}");
    call("work", 7).unwrap();
    guest.get_typed_func::<i32, ()>(&mut store, "paths").unwrap().call(&mut store, 5).unwrap();
    (store, guest)
}

#[test]
fn calls_and_ticks() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = as_node(&r);
    for value in ["ticks", "calls"] {
        assert_eq!(folded(&r, &mut store, value), text(&format!("node.{value}.folded")), "{value}");
    }
    let ticks = folded(&r, &mut store, "ticks");
    assert_eq!(guest.ticks(&mut store).unwrap(), stacks(&ticks).values().sum::<u64>());
}

#[test]
fn a_module_that_is_instrumented_already() {
    toll(&["instrument", "guest.wasm", "-o", "guest.toll.wasm"]);
    let r = recorder("guest.toll.wasm", Options::default()).unwrap();
    let (mut store, _) = as_node(&r);
    assert_eq!(folded(&r, &mut store, "ticks"), text("node.ticks.folded"));
    let heap = recorder("guest.toll.wasm", Options { heap: true, ..Options::default() });
    let error = heap.err().expect("heap is for toll instrument").to_string();
    assert!(error.contains("instrumented before"), "{error}");
}

/// A WASI program that allocates, and returns, exits or traps: with its heap.
#[test]
fn programs() {
    for (how, args) in [
        ("return", &["program.wasm", "5", "return"][..]),
        ("exit", &["program.wasm", "5", "exit"]),
        ("trap", &["program.wasm", "5", "trap"]),
    ] {
        let r = recorder("program.wasm", Options { heap: true, ..Options::default() }).unwrap();
        let (mut store, linker) = with_wasi(args);
        let program = r.instantiate(&mut store, &linker).unwrap();
        let start = program.get_typed_func::<(), ()>(&mut store, "_start").unwrap();
        match (how, start.call(&mut store, ())) {
            ("return", Ok(())) => {}
            ("exit", Err(error)) => assert_eq!(error.downcast_ref::<Exit>().unwrap().0, 3),
            ("trap", Err(error)) => assert!(error.is::<Trap>(), "{error:?}"),
            (_, result) => panic!("{how}: {result:?}"),
        }
        r.profile(&mut store, path(&format!("{how}.pb.gz"))).unwrap();
        for value in ["calls", "ticks", "alloc_space", "alloc_objects", "inuse_space"] {
            let [ours, node] =
                ["", "node."].map(|by| below("^_start$", &format!("{by}{how}.pb.gz"), value));
            assert!(!ours.is_empty() || value == "inuse_space", "{how}, {value}");
            assert_eq!(ours, node, "{how}, {value}");
        }
    }
}

#[test]
fn lines_of_calls() {
    let r = recorder("programs.wasm", Options { call_lines: true, ..Options::default() }).unwrap();
    let (mut store, linker) = (Store::new(engine(), ()), Linker::new(engine()));
    let guest = r.instantiate(&mut store, &linker).unwrap();
    call(&mut store, &guest, "run", 2).unwrap();
    for _ in 0..2 {
        // Counters are not added up again.
        r.profile(&mut store, path("lines.pb.gz")).unwrap();
    }
    for (value, root) in
        [("calls", "^run$"), ("ticks", "^run$"), ("executions", "."), ("line ticks", ".")]
    {
        let [ours, node] = ["lines.pb.gz", "node.lines.pb.gz"].map(|path| below(root, path, value));
        assert!(ours.lines().count() > 3, "{value}");
        assert_eq!(ours, node, "{value}");
    }
}

/// Files, lines, inlined functions, and the costs of these are those that the command finds: also of what has ended.
#[test]
fn lines_of_debug_information() {
    let options = Options { lines: true, inlines: true, ..Options::default() };
    let r = recorder("lines.wasm", options).unwrap();
    let (mut store, linker) = (Store::new(engine(), ()), Linker::new(engine()));
    let guest = r.instantiate(&mut store, &linker).unwrap();
    call(&mut store, &guest, "run", 50).unwrap();
    for file in ["lines.debug.pb.gz", "lines.ended.pb.gz"] {
        r.profile(&mut store, path(file)).unwrap();
        for (format, value) in [
            ("folded", "calls"),
            ("folded", "ticks"),
            ("folded", "executions"),
            ("folded", "line ticks"),
            ("callgrind", "ticks"),
        ] {
            // Without what Node does before and after the calls.
            let [ours, node] = [file, "node.debug.pb.gz"].map(|path| {
                let how = ["convert", "-q", "--to", format, "--value", value];
                toll(&[&how[..], &["--ignore", r"^(%|\(outside)", "-o", "-", path]].concat())
            });
            assert_eq!(ours, node, "{file}, {format}, {value}");
            assert!(format == "folded" || ours.contains("calls.c\n"), "{ours}");
            assert!(value != "line ticks" || ours.contains("fill;step;mix "), "{ours}");
        }
        r.end(&mut store).unwrap();
    }
}

/// What a trap leaves is no place of the next call.
#[test]
fn lines_of_calls_and_traps() {
    let options = Options { call_lines: true, ..Options::default() };
    let r = recorder("guest.wasm", options).unwrap();
    let (mut store, _) = as_node(&r);
    for value in ["calls", "ticks"] {
        let node = selves(&text(&format!("node.{value}.folded")));
        assert_eq!(selves(&folded(&r, &mut store, value)), node, "{value}");
    }
}
