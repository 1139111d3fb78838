//! Components that record themselves. Their costs by hand are those that tests/component has.

use crate::support::*;
use toll_wasmtime::{Clock, ComponentRecorder, Options};
use wasmtime::{
    component::{Instance, Linker},
    Config, Engine, Store,
};

fn made(engine: &Engine, recorder: &ComponentRecorder) -> (Store<()>, Instance) {
    let mut store = Store::new(engine, ());
    let instance = Linker::new(engine).instantiate(&mut store, recorder.component()).unwrap();
    (store, instance)
}

fn run(store: &mut Store<()>, instance: &Instance, turns: u32) -> u32 {
    let function = instance.get_typed_func::<(u32,), (u32,)>(&mut *store, "run").unwrap();
    let (result,) = function.call(&mut *store, (turns,)).unwrap();
    #[allow(deprecated)]
    function.post_return(store).unwrap();
    result
}

fn recorded(name: &str, options: Options, value: &str, runs: &[u32]) -> String {
    let engine = Engine::default();
    let recorder = ComponentRecorder::new(&engine, &file(name), options).unwrap();
    for turns in runs {
        let (mut store, instance) = made(&engine, &recorder);
        run(&mut store, &instance, *turns);
        recorder.end(&mut store, &instance, "").unwrap();
    }
    String::from_utf8(recorder.bytes("folded", value).unwrap()).unwrap()
}

#[test]
fn modules_are_one_program() {
    let wanted = "run 1\nrun;through #2 20\nrun;through #2;through 20\nrun;through #2;through;twice 20\n\
                  run;through #2;through;twice;leaf #2 40\nrun;through #2;through;twice;leaf #2;leaf 40\nrun;count #2 1\nrun;count #2;count 1\n";
    assert_eq!(
        stacks(&recorded("two.component.wasm", Options::default(), "calls", &[20])),
        stacks(wanted)
    );
}

#[test]
fn ticks_are_the_engines_fuel() {
    for turns in [1, 20, 1000] {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config).unwrap();
        let component =
            wasmtime::component::Component::new(&engine, file("two.component.wasm")).unwrap();
        let mut store = Store::new(&engine, ());
        store.set_fuel(1 << 40).unwrap();
        let instance = Linker::new(&engine).instantiate(&mut store, &component).unwrap();
        let before = store.get_fuel().unwrap();
        run(&mut store, &instance, turns);
        let fuel = before - store.get_fuel().unwrap();
        let options = Options { costs: "fuel".into(), ..Options::default() };
        let ticks = stacks(&recorded("two.component.wasm", options, "ticks", &[turns]));
        assert_eq!(ticks.values().sum::<u64>(), fuel);

        let bytes = file("two.component.wasm");
        let recorder = ComponentRecorder::new(&engine, &bytes, Options::default()).unwrap();
        let mut store = Store::new(&engine, ());
        store.set_fuel(1 << 30).unwrap();
        let instance = Linker::new(&engine).instantiate(&mut store, recorder.component()).unwrap();
        run(&mut store, &instance, turns);
        let left = store.get_fuel().unwrap();
        recorder.end(&mut store, &instance, "").unwrap(); // takes none of it
        assert_eq!(store.get_fuel().unwrap(), left);
        let other = Linker::new(&engine).instantiate(&mut store, &component).unwrap();
        let left = store.get_fuel().unwrap();
        let error = recorder.end(&mut store, &other, "").unwrap_err().to_string();
        assert!(error.contains("another component"), "{error}");
        assert_eq!(store.get_fuel().unwrap(), left);
    }
}

#[test]
fn ticks_of_lines_are_ticks() {
    for (name, call_lines) in [("two.component.wasm", true), ("composed.component.wasm", false)] {
        let options = || Options { lines: true, call_lines, ..Options::default() };
        let by_function = |value| selves(&recorded(name, options(), value, &[5, 20]));
        assert_eq!(by_function("line ticks"), by_function("ticks"));
    }
}

#[test]
fn components_in_it_have_profiles_of_their_own() {
    let options = Options { labels: "commit=1".into(), ..Options::default() };
    assert_eq!(
        stacks(&recorded("composed.component.wasm", options, "ticks", &[5, 6])),
        stacks("run 6\ntwice 8\n")
    );
}

#[test]
fn a_trap_loses_that_instance_alone() {
    let engine = Engine::default();
    let recorder =
        ComponentRecorder::new(&engine, &file("two.component.wasm"), Options::default()).unwrap();
    let (mut good, kept) = made(&engine, &recorder);
    run(&mut good, &kept, 1);
    recorder.end(&mut good, &kept, "path=/good").unwrap();
    let (mut bad, broken) = made(&engine, &recorder);
    let function = broken.get_typed_func::<(), ()>(&mut bad, "broken").unwrap();
    function.call(&mut bad, ()).unwrap_err();
    recorder.end(&mut bad, &broken, "path=/bad").unwrap();
    recorder.profile(path("broken.pb.gz")).unwrap();
    let report = toll(&["report", "--json", "--value", "calls", "broken.pb.gz"]);
    assert!(
        report.contains("instances that trapped or exited: what they recorded is lost"),
        "{report}"
    );
    assert!(report.contains("/good") && !report.contains("/bad"), "{report}");
}

/// The clock moves by 1 us at each reading, so that each call of `run` takes at least that.
#[test]
fn time_is_that_of_the_clock_of_wasi() {
    let engine = Engine::default();
    let options = Options { clock: Clock::Monotonic, ..Options::default() };
    let recorder = ComponentRecorder::new(&engine, &file("two.component.wasm"), options).unwrap();
    let mut linker = Linker::<u64>::new(&engine);
    linker
        .instance("wasi:clocks/monotonic-clock@0.2.0")
        .unwrap()
        .func_wrap("now", |mut store: wasmtime::StoreContextMut<u64>, (): ()| {
            *store.data_mut() += 1000;
            Ok((*store.data(),))
        })
        .unwrap();
    let mut store = Store::new(&engine, 0);
    let instance = linker.instantiate(&mut store, recorder.component()).unwrap();
    for _ in 0..100 {
        let function = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "run").unwrap();
        function.call(&mut store, (3,)).unwrap();
        #[allow(deprecated)]
        function.post_return(&mut store).unwrap();
    }
    recorder.end(&mut store, &instance, "").unwrap();
    let of = |value| stacks(&String::from_utf8(recorder.bytes("folded", value).unwrap()).unwrap());
    assert_eq!(of("calls")["run"], 100);
    recorder.profile(path("timed.pb.gz")).unwrap();
    let report = toll(&["report", "--json", "--value", "time", "timed.pb.gz"]);
    assert!(report.contains("readings of the clock at events"), "{report}");
}

#[test]
fn what_is_not_for_components_is_refused() {
    let engine = Engine::default();
    let bytes = file("two.component.wasm");
    let message = |code: &[u8], options: Options| {
        ComponentRecorder::new(&engine, code, options).err().unwrap().to_string()
    };
    assert!(message(b"\0asm\x01\0\0\0", Options::default()).contains("is no component"));
    assert!(message(&bytes, Options { timeline: true, ..Options::default() }).contains("no order"));
    let clock = Clock::Function(std::sync::Arc::new(|| 0));
    let time = Options { clock, ..Options::default() };
    assert!(message(&bytes, time).contains("leave out timeline and Clock::Function"));
    let recorder = ComponentRecorder::new(&engine, &bytes, Options::default()).unwrap();
    assert!(recorder.bytes("pprof", "").unwrap_err().to_string().contains("nothing was recorded"));
    let (mut store, instance) = made(&engine, &recorder);
    assert!(recorder.end(&mut store, &instance, "host").unwrap_err().to_string().contains("label"));
}

#[test]
fn in_an_asynchronous_store() {
    let mut config = Config::new();
    #[allow(deprecated)]
    config.async_support(true);
    let engine = Engine::new(&config).unwrap();
    let recorder =
        ComponentRecorder::new(&engine, &file("two.component.wasm"), Options::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    runtime.block_on(async {
        let mut store = Store::new(&engine, ());
        let linker = Linker::new(&engine);
        let instance = linker.instantiate_async(&mut store, recorder.component()).await.unwrap();
        let function = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "run").unwrap();
        function.call_async(&mut store, (3,)).await.unwrap();
        #[allow(deprecated)]
        function.post_return_async(&mut store).await.unwrap();
        recorder.end_async(&mut store, &instance, "").await.unwrap();
    });
    let calls = stacks(&String::from_utf8(recorder.bytes("folded", "calls").unwrap()).unwrap());
    assert_eq!(calls["run;through #2"], 3);
}
