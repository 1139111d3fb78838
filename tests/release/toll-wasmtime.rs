//! GUEST ARGUMENT PROFILE - calls run(ARGUMENT) of a guest, and writes its profile.
use toll_wasmtime::{
    wasmtime::{Engine, Linker, Result, Store},
    Options, Recorder,
};

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let engine = Engine::default();
    let (mut store, linker) = (Store::new(&engine, ()), Linker::new(&engine));
    let r = Recorder::new(&engine, &std::fs::read(&args[1])?, Options::default())?;
    let instance = r.instantiate(&mut store, &linker)?;
    instance.get_typed_func::<i32, i32>(&mut store, "run")?.call(&mut store, args[2].parse()?)?;
    r.profile(&mut store, &args[3])
}
