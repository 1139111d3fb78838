//! The engine's name and version, for the profile's runs.

use std::sync::OnceLock;
use wasmtime::{Engine, Module};

/// "wasmtime 48"; "wasmtime" if a module of this version does not say it.
pub fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        version().map_or("wasmtime".into(), |version| format!("wasmtime {version}"))
    })
}

/// wasmtime has no function for its version. Modules that it has compiled have it: their ELF file's section
/// `.wasmtime.engine` begins with a byte, and the version's size and text (engine/serialization.rs of the crate).
fn version() -> Option<String> {
    let empty = b"\0asm\x01\0\0\0";
    let compiled = Module::new(&Engine::default(), empty).ok()?.serialize().ok()?;
    let section = section(&compiled, b".wasmtime.engine\0")?;
    let text = section.get(2..2 + usize::from(*section.get(1)?))?;
    let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let is_good = !text.is_empty() && text.iter().all(is_version);
    is_good.then(|| String::from_utf8_lossy(text).into_owned())
}

/// The content of a section of an ELF file of 64 bits; `name` ends with its NUL.
fn section<'a>(elf: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let number = |at: usize, size: usize| {
        let bytes = elf.get(at..at.checked_add(size)?)?;
        let value = bytes.iter().rev().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
        usize::try_from(value).ok()
    };
    let (table, size) = (number(0x28, 8)?, number(0x3a, 2)?); // of the headers, and of each
    let header = |i: usize| table.checked_add(i.checked_mul(size)?);
    let content = |i: usize| {
        let (offset, size) = (number(header(i)? + 0x18, 8)?, number(header(i)? + 0x20, 8)?);
        elf.get(offset..offset.checked_add(size)?)
    };
    let names = content(number(0x3e, 2)?)?;
    (0..number(0x3c, 2)?)
        .find(|i| {
            let at = header(*i).and_then(|at| number(at, 4));
            at.is_some_and(|at| names.get(at..).is_some_and(|rest| rest.starts_with(name)))
        })
        .and_then(content)
}
