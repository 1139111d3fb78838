//! Builds the parts of libtoll that record and write profiles, from the C sources.

use std::path::Path;

/// Folders of src/: all except for the command, debug information and the instrumentation of
/// WebAssembly.
const ROOMS: [&str; 13] = [
    "base",
    "demangle",
    "profile",
    "record",
    "sections",
    "format",
    "heapsites",
    "solana",
    "sbf",
    "supcom",
    "report",
    "page",
    "registry",
];

fn main() {
    let mut build = cc::Build::new();
    for folder in ROOMS {
        let folder = Path::new("c/src").join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        let entries = std::fs::read_dir(&folder).expect("the C sources of libtoll");
        let mut files: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "c"));
        files.sort();
        build.files(files);
    }
    println!("cargo:rerun-if-changed=c/include");
    build
        .std("c11")
        .include("c/include")
        .include("c/src")
        .define("_POSIX_C_SOURCE", "200809L")
        .define("_FILE_OFFSET_BITS", "64")
        .define("TOLL_HAVE_SOLANA", "1")
        .define("TOLL_HAVE_SUPCOM", "1")
        .define("TOLL_HAVE_ZLIB", "1");
    if let Ok(include) = std::env::var("DEP_Z_INCLUDE") {
        build.include(include);
    }
    build.compile("toll");
}
