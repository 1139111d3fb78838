//! Instrumented modules in wasmtime. wasm-engine spec [FOLDER]

mod engine;
mod script;
mod spec;
mod toll;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let good = match args.first().map(String::as_str) {
        Some("spec") => spec::test(rest.first().map_or("", String::as_str)),
        _ => panic!("wasm-engine spec [FOLDER]"),
    };
    std::process::exit(!good as i32);
}
