//! Instrumented modules in wasmtime; see run.sh.

mod engine;
mod fuel;
mod host;
mod library;
mod pair;
mod random;
mod script;
mod section;
mod spec;
mod toll;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let folder = rest.first().map_or("", String::as_str);
    let good = match args.first().map(String::as_str) {
        Some("spec") => spec::test(folder),
        Some("fuel") => fuel::test_scripts(folder),
        Some("programs") => fuel::test_programs(rest),
        Some("random") => random::test(rest),
        Some("host") => host::write(rest),
        _ => panic!("wasm-engine spec|fuel [FOLDER], programs FILES, random COUNT [FIRST], or host (see host.rs)"),
    };
    std::process::exit(!good as i32);
}
