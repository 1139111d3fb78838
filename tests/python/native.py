"""native.py DIR - prints sizes and offsets of the structs in toll.native, and writes DIR/layout.c, which prints those of C."""

import ctypes
import re
import sys
from pathlib import Path

from toll import native

lines = ["#include <stddef.h>", "#include <stdio.h>", "#include <toll/toll.h>", "int main(void)", "{"]
structs = [s for s in vars(native).values() if isinstance(s, type) and issubclass(s, ctypes.Structure)]
assert structs
for struct in structs:
    c_name = "toll" + re.sub("([A-Z])", r"_\1", struct.__name__).lower()  # FormatOptions: toll_format_options
    print(struct.__name__, ctypes.sizeof(struct))
    lines.append(f'    printf("{struct.__name__} %zu\\n", sizeof({c_name}));')
    for name, *_ in struct._fields_:
        field = getattr(struct, name)
        print(f"{struct.__name__}.{name}", field.offset, field.size)
        lines.append(f'    printf("{struct.__name__}.{name} %zu %zu\\n", offsetof({c_name}, {name}), sizeof((({c_name} *)0)->{name}));')
Path(sys.argv[1], "layout.c").write_text("\n".join([*lines, "    return 0;", "}", ""]))
