/* rust_symbol.h - demangles Rust symbols. It needs no library, so toll.wasm has it, too, and names
 * are the same everywhere. */
#ifndef TOLL_DEMANGLE_RUST_SYMBOL_H
#define TOLL_DEMANGLE_RUST_SYMBOL_H

#include "base/buffer.h"

/* Append the name that a symbol encodes. The symbol has the legacy form (_ZN...17h<hash>E; the hash
 * is omitted) or v0 (_R...; the numbers that distinguish crates of the same name are omitted).
 * False, and nothing is appended: it is not such a symbol, or damaged, or its name would be longer
 * than 64 KiB. Failed allocations only set out->failed.
 * https://doc.rust-lang.org/rustc/symbol-mangling/v0.html */
bool toll_append_rust_symbol(toll_buffer *out, const char *symbol);

/* In rust_symbol_v0.c. text[size] is the text after _R. */
bool toll_append_rust_v0(toll_buffer *out, const char *text, size_t size);

enum { TOLL_MOST_RUST_NAME = 1 << 16 };

#endif
