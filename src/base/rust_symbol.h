/* rust_symbol.h - Rust's symbols as people write them. In plain C, so that toll.wasm has it, too:
 * names are the same wherever they are read. */
#ifndef TOLL_BASE_RUST_SYMBOL_H
#define TOLL_BASE_RUST_SYMBOL_H

#include "base/buffer.h"

/* Append the name that a symbol stands for: of the legacy form (_ZN...17h<hash>E, without the hash)
 * or of v0 (_R..., without the numbers that tell crates of a name apart). False: it is no such
 * symbol, or damaged, or its name would be longer than 64 KiB; then nothing is appended. Does not
 * tell of memory: see out->failed.
 * https://doc.rust-lang.org/rustc/symbol-mangling/v0.html */
bool toll_append_rust_symbol(toll_buffer *out, const char *symbol);

/* Of rust_symbol_v0.c: text[size] is what stands behind _R. */
bool toll_append_rust_v0(toll_buffer *out, const char *text, size_t size);

enum { TOLL_MOST_RUST_NAME = 1 << 16 };

#endif
