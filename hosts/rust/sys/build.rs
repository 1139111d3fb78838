//! Compiles libtoll: all folders of c/src, which are links to the C sources, or in the published
//! crate copies of them.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    println!("cargo:include={root}/c/include"); // DEP_TOLL_INCLUDE of build scripts that depend on it
    println!("cargo:rerun-if-changed=c/include");
    let mut build = cc::Build::new();
    for folder in entries("c/src".as_ref()) {
        println!("cargo:rerun-if-changed={}", folder.display());
        let files = entries(&folder);
        build.files(files.iter().filter(|f| f.extension().is_some_and(|e| e == "c")));
    }
    build
        .std("c11")
        .include("c/include")
        .include("c/src")
        .define("_POSIX_C_SOURCE", "200809L")
        .define("_FILE_OFFSET_BITS", "64")
        .define("TOLL_HAVE_SOLANA", "1")
        .define("TOLL_HAVE_SUPCOM", "1")
        .define("TOLL_HAVE_ZLIB", "1")
        .flag_if_supported("-fno-tree-slp-vectorize"); // as cmake/warnings.cmake says
    if env::var("CARGO_CFG_TARGET_VENDOR").as_deref() == Ok("apple") {
        build.define("_DARWIN_C_SOURCE", None);
    }
    if let Ok(include) = env::var("DEP_Z_INCLUDE") {
        build.include(include);
    }
    build.compile("toll");
}

/// What is in a folder, in the order of names, so that the library has the same bytes each time.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the C sources of libtoll");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry of a folder").path()).collect();
    paths.sort();
    paths
}
