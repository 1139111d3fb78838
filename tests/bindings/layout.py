"""layout.py SOURCE DIR - prints the sizes and offsets of toll.headers' structs, and writes DIR/layout.c and DIR/layout.rs, which
print those of C and Rust: "STRUCT SIZE", "STRUCT.FIELD OFFSET"."""

import ctypes
import importlib.machinery
import importlib.util
import sys

source, folder = sys.argv[1:]
sys.path.insert(0, f"{source}/hosts/python")
from toll import headers  # noqa: E402

loader = importlib.machinery.SourceFileLoader("bindings", f"{source}/scripts/bindings")
bindings = importlib.util.module_from_spec(importlib.util.spec_from_loader("bindings", loader))
loader.exec_module(bindings)
library = bindings.Headers(source, ["toll/toll.h"], [])
rust_structs = [n for n in bindings.rust_library(source).headers.structs if n.startswith("toll_")]


def fields(name):
    return [field for field, _ in library.structs[name]]


for name in bindings.PYTHON_STRUCTS:
    struct = getattr(headers, bindings.camel(name))
    print(f"toll_{name}", ctypes.sizeof(struct))
    for field in fields(f"toll_{name}"):
        print(f"toll_{name}.{field}", getattr(struct, field).offset)

with open(f"{folder}/layout.c", "w", encoding="utf-8") as file:
    file.write("#include <stddef.h>\n#include <stdio.h>\n#include <toll/toll.h>\nint main(void)\n{\n")
    for name in sorted({*(f"toll_{n}" for n in bindings.PYTHON_STRUCTS), *rust_structs}):
        file.write(f'    printf("{name} %zu\\n", sizeof({name}));\n')
        for field in fields(name):
            file.write(f'    printf("{name}.{field} %zu\\n", offsetof({name}, {field}));\n')
    file.write("    return 0;\n}\n")

with open(f"{folder}/layout.rs", "w", encoding="utf-8") as file:
    file.write("macro_rules! sized { ($($name:ident,)*) => {} }\npub(crate) use sized;\n#[allow(dead_code, non_camel_case_types)]\n")
    file.write(f'#[path = "{source}/hosts/rust/sys/src/declarations.rs"]\nmod sys;\nfn main() {{\n')
    for name in rust_structs:
        file.write(f'    println!("{name} {{}}", std::mem::size_of::<sys::{name}>());\n')
        for field in fields(name):
            own = bindings.Rust.name(field)
            file.write(f'    println!("{name}.{field} {{}}", std::mem::offset_of!(sys::{name}, {own}));\n')
    file.write("}\n")
