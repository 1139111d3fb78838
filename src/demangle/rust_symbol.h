/* rust_symbol.h - demangles Rust's symbols. It needs no library, so that toll.wasm has it, too, and
 * names are the same wherever they are read. */
#ifndef TOLL_DEMANGLE_RUST_SYMBOL_H
#define TOLL_DEMANGLE_RUST_SYMBOL_H

#include "base/buffer.h"

/* Append the name that a symbol encodes: of the legacy form (_ZN...17h<hash>E, without the hash) or
 * of v0 (_R..., without the numbers that distinguish crates of the same name). False: it is not
 * such a symbol, or damaged, or its name would be longer than 64 KiB; then nothing is appended.
 * Failed allocations show in out->failed alone.
 * https://doc.rust-lang.org/rustc/symbol-mangling/v0.html */
bool toll_append_rust_symbol(toll_buffer *out, const char *symbol);

/* In rust_symbol_v0.c: text[size] is what follows _R. */
bool toll_append_rust_v0(toll_buffer *out, const char *text, size_t size);

enum { TOLL_MOST_RUST_NAME = 1 << 16 };

#endif
