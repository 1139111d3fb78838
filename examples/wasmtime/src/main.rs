//! Runs a WASI program in wasmtime and profiles it: every call, and the instructions that each function executed.
//!
//!     cmake --build build
//!     cargo run --release -- app.wasm ARGS       # writes app.pb.gz
//!     go tool pprof -http=: app.pb.gz

use std::{path::Path, process::exit};
use toll_wasmtime::{Options, Recorder};
use wasmtime::{Engine, Linker, Result, Store, Trap};
use wasmtime_wasi::{p1, I32Exit, WasiCtx};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = args.first() else {
        eprintln!("usage: cargo run --release -- app.wasm ARGS");
        exit(2);
    };
    match run(Path::new(path), &args) {
        Ok(status) => exit(status),
        Err(error) => {
            eprintln!("{error:?}");
            exit(1);
        }
    }
}

fn run(path: &Path, args: &[String]) -> Result<i32> {
    let engine = Engine::default();
    let wasi = WasiCtx::builder().inherit_stdio().args(args).build_p1();
    let (mut store, mut linker) = (Store::new(&engine, wasi), Linker::new(&engine));
    p1::add_to_linker_sync(&mut linker, |wasi| wasi)?;

    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let r = Recorder::new(&engine, &std::fs::read(path)?, Options { name, ..Options::default() })?;
    let instance = r.instantiate(&mut store, &linker)?;
    let start = instance.get_typed_func::<(), ()>(&mut store, "_start")?;
    let ended = start.call(&mut store, ());
    r.profile(&mut store, path.with_extension("pb.gz"))?;
    eprintln!("{}", r.top(&mut store, "", 10)?);

    match ended {
        Ok(()) => Ok(0),
        Err(error) if error.is::<Trap>() => {
            eprintln!("{error:?}");
            Ok(134)
        }
        Err(error) => error.downcast::<I32Exit>().map(|exit| exit.0),
    }
}
