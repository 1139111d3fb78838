//! Builds the part of libtoll that instruments, and the shim that calls it.

use std::path::Path;

fn main() {
    let source = Path::new("../../src");
    let mut build = cc::Build::new();
    for folder in ["base", "demangle", "wasm"] {
        let folder = source.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        let entries = std::fs::read_dir(&folder).expect("the C sources of libtoll");
        let mut files: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "c"));
        files.sort();
        build.files(files);
    }
    println!("cargo:rerun-if-changed=../../include");
    println!("cargo:rerun-if-changed=src/shim.c");
    build
        .file("src/shim.c")
        .std("c11")
        .opt_level(2)
        .include("../../include")
        .include(source)
        .define("_POSIX_C_SOURCE", "200809L")
        .compile("toll");
}
