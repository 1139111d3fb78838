//! Traps, panics, start functions that fail; what is wrong is said.

use crate::support::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use toll_wasmtime::{Options, Recorder};
use wasmtime::{Caller, Config, Engine, Error, Linker, Result, Store, Trap, Val};

#[test]
fn a_panic_of_the_host() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = instance(&r);
    for _ in 0..2 {
        let asked = catch_unwind(AssertUnwindSafe(|| call(&mut store, &guest, "ask", 4)));
        assert!(asked.is_err());
    }
    call(&mut store, &guest, "work", 1).unwrap();
    let calls = stacks(&folded(&r, &mut store, "calls"));
    assert_eq!((calls["ask;host"], calls["work;twice;leaf"]), (2, 2), "{calls:?}");
}

/// One instance calls the host, which calls another one, which traps: nothing is open in either.
#[test]
fn a_trap_through_two_instances() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, linker) = with_host(engine());
    let mut outer_linker = Linker::new(engine());
    let trap = |mut caller: Caller<'_, Data>, _: i32| -> Result<i32> {
        let inner = caller.data().clone().unwrap();
        call(&mut caller, &inner, "trap", 2)
    };
    outer_linker.func_wrap("env", "host", trap).unwrap();
    let outer = r.instantiate(&mut store, &outer_linker).unwrap();
    let inner = r.instantiate(&mut store, &linker).unwrap();
    *store.data_mut() = Some(inner.clone());
    call(&mut store, &outer, "ask", 0).unwrap_err();
    for each in [&outer, &inner] {
        call(&mut store, each, "work", 1).unwrap();
    }
    let calls = stacks(&folded(&r, &mut store, "calls"));
    assert_eq!((calls["work"], calls["ask;host"], calls["trap;fall"]), (2, 1, 1), "{calls:?}");
}

#[test]
fn a_start_function_that_traps() {
    let r = recorder("two.wasm", Options::default()).unwrap();
    let (mut store, mut linker) = (Store::new(engine(), 1), Linker::new(engine()));
    linker.func_wrap("env", "host", |caller: Caller<'_, i32>, _: i32| *caller.data()).unwrap();
    r.instantiate(&mut store, &linker).err().expect("a trap");
    *store.data_mut() = 0;
    let instance = r.instantiate(&mut store, &linker).unwrap();
    call(&mut store, &instance, "run", 1).unwrap();
    let expected = "begin 2\nbegin;host 2\nrun 1\nrun;host 1\n";
    assert_eq!(stacks(&folded(&r, &mut store, "calls")), stacks(expected));
}

#[test]
fn functions_without_types() {
    let r = recorder("guest.wasm", Options::default()).unwrap();
    let (mut store, guest) = instance(&r);
    let mut results = [Val::I32(0)];
    for name in ["trap", "fib"] {
        let function = guest.get_func(&mut store, name).unwrap();
        let result = function.call(&mut store, &[Val::I32(3)], &mut results);
        assert_eq!(result.is_ok(), name == "fib", "{result:?}");
    }
    assert_eq!(results[0].i32(), Some(2));
    assert_eq!(stacks(&folded(&r, &mut store, "calls"))["fib"], 1);
    assert!(guest.get_func(&mut store, "none").is_none());
}

/// Without fuel the functions that are left cannot be closed: they are as soon as there is some.
#[test]
fn a_call_that_runs_out_of_fuel() {
    let engine = Engine::new(Config::new().consume_fuel(true)).unwrap();
    let r = Recorder::new(&engine, &file("programs.wasm"), Options::default()).unwrap();
    let (mut store, linker) = (Store::new(&engine, ()), Linker::new(&engine));
    store.set_fuel(1 << 40).unwrap();
    let guest = r.instantiate(&mut store, &linker).unwrap();
    store.set_fuel(100_000).unwrap();
    let error = call(&mut store, &guest, "run", 1).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Trap::OutOfFuel), "{error:?}");
    store.set_fuel(1 << 40).unwrap();
    call(&mut store, &guest, "run", 1).unwrap();
    let calls = stacks(&folded(&r, &mut store, "calls"));
    assert_eq!(calls["run"], 2, "{calls:?}");
    assert!(calls.keys().all(|stack| !stack[1..].contains("run")), "{calls:?}");
}

fn message<T>(result: Result<T, Error>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn what_is_wrong_is_said() {
    let module = file("guest.wasm");
    let no_module = |bytes: &[u8]| {
        let r = recorder("two.wasm", Options::default()).unwrap();
        message(r.another(bytes, Options { name: "x.wasm".into(), ..Options::default() }))
    };
    for wrong in [&b""[..], b"text", &module[..module.len() / 2]] {
        assert!(no_module(wrong).contains("x.wasm"), "{}", no_module(wrong));
    }
    let with = |options| message(recorder("guest.wasm", options));
    assert!(with(Options { only: "(".into(), ..Options::default() }).contains('('));
    assert!(with(Options { costs: "nop2 1\n".into(), ..Options::default() }).contains("nop2"));

    assert!(with(Options { skip: "a\0b".into(), ..Options::default() }).contains("NUL"));

    let r = recorder("guest.wasm", Options::default()).unwrap();
    let mut store = Store::new(engine(), ());
    let profile = |r: &Recorder, store: &mut Store<()>| message(r.bytes(store, "pprof", ""));
    assert!(profile(&r, &mut store).contains("call instantiate first"));
    let unknown = message(r.instantiate(&mut store, &Linker::new(engine())));
    assert!(unknown.contains("env::host"), "{unknown}");
    let format = message(r.profile(&mut store, path("out.xyz")));
    assert!(format.contains(".pb.gz, "), "{format}");
    assert!(!path("out.xyz").exists());
    let folder = message(r.profile(&mut store, path("none/out.folded")));
    assert!(folder.contains("none"), "{folder}");
    r.bytes(&mut store, "pprof", "").err().expect("nothing that could be made was recorded");
    let (mut store, _) = instance(&r);
    let folder = message(r.profile(&mut store, path("none/out.folded")));
    assert!(folder.contains("none"), "{folder}");
    let column = message(r.bytes(&mut store, "folded", "none"));
    assert!(column.contains("none"), "{column}");
}
