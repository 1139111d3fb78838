//! Links toll.wasm as the module "toll" of an instrumented module, and takes its profile.

use crate::library::{Library, Written};
use crate::{engine, section};
use wasmtime::{Linker, Module};

const HOOKS: [&str; 5] = ["enter", "leave", "settle", "depth", "unwind"];

/// Run the export `run` of an instrumented module; the profile, as folded stacks of `value`.
fn profile(toll_wasm: &[u8], guest: &[u8], arg: i32, value: &str) -> wasmtime::Result<Written> {
    let engine = engine::plain();
    let mut library = Library::new(&engine, toll_wasm)?;
    let (module, told) =
        (Module::new(&engine, guest)?, section::read(guest).expect("a section toll"));
    library.begin(told.depth, &told.section)?;

    let mut linker = Linker::new(&engine);
    linker.func_wrap("env", "host", |x: i32| x.wrapping_mul(2))?;
    for hook in HOOKS {
        let hooked = library.instance.get_export(&mut library.store, hook).expect(hook);
        linker.define(&mut library.store, "toll", hook, hooked)?;
    }
    let instance = linker.instantiate(&mut library.store, &module)?;
    library.call::<i32, ()>("settles", 1)?;
    instance
        .get_typed_func::<i32, i32>(&mut library.store, "run")?
        .call(&mut library.store, arg)?;
    let [pending, then, ticks] = ["toll:pending", "toll:pending_ticks", "toll:ticks"]
        .map(|name| instance.get_global(&mut library.store, name).expect(name))
        .map(|global| global.get(&mut library.store));
    library.call::<(i32, i64), i32>("settle", (pending.unwrap_i32(), then.unwrap_i64()))?;
    let ticks = ticks.unwrap_i64() as u64;
    println!("{} functions, costs {}", told.names.len(), String::from_utf8_lossy(&told.costs));
    library.profile("folded", value, ticks)
}

/// TOLL.WASM INSTRUMENTED.WASM ARGUMENT VALUE OUT
pub fn write(args: &[String]) -> bool {
    let [toll_wasm, guest, arg, value, out] = args else { panic!("five arguments") };
    let [toll_wasm, guest] = [toll_wasm, guest].map(|path| std::fs::read(path).expect("a module"));
    let arg = arg.parse().expect("a number");
    let text = profile(&toll_wasm, &guest, arg, value).expect("a profile");
    std::fs::write(out, &text).expect("to write");
    !text.is_empty()
}
