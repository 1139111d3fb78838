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
library = bindings.Headers(source, "toll/toll.h", [])


def fields(name):
    return [field for field, _ in library.structs[f"toll_{name}"]]


for name in bindings.PYTHON_STRUCTS:
    struct = getattr(headers, bindings.camel(name))
    print(name, ctypes.sizeof(struct))
    for field in fields(name):
        print(f"{name}.{field}", getattr(struct, field).offset)

with open(f"{folder}/layout.c", "w", encoding="utf-8") as file:
    file.write("#include <stddef.h>\n#include <stdio.h>\n#include <toll/toll.h>\nint main(void)\n{\n")
    for name in sorted({*bindings.PYTHON_STRUCTS, *bindings.RUST_STRUCTS}):
        file.write(f'    printf("{name} %zu\\n", sizeof(toll_{name}));\n')
        for field in fields(name):
            file.write(f'    printf("{name}.{field} %zu\\n", offsetof(toll_{name}, {field}));\n')
    file.write("    return 0;\n}\n")

with open(f"{folder}/layout.rs", "w", encoding="utf-8") as file:
    file.write(f'#[allow(dead_code)]\n#[path = "{source}/hosts/solana/src/ffi.rs"]\nmod ffi;\nfn main() {{\n')
    for name in bindings.RUST_STRUCTS:
        struct = bindings.camel(name)
        file.write(f'    println!("{name} {{}}", std::mem::size_of::<ffi::{struct}>());\n')
        for field in fields(name):
            own = bindings.Rust.keywords.get(field, field)
            file.write(f'    println!("{name}.{field} {{}}", std::mem::offset_of!(ffi::{struct}, {own}));\n')
    file.write("}\n")
