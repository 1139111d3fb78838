/* demangle.h - Rust's symbols, legacy and v0, as people write them (rust_symbol.h). */
#ifndef TOLL_BASE_DEMANGLE_H
#define TOLL_BASE_DEMANGLE_H

#include "base/buffer.h"

/* May this be a symbol of Rust's? False for nearly all other names, at the cost of three bytes. */
static inline bool toll_may_be_mangled(const char *name)
{
    return name[0] == '_' && (name[1] == 'R' || (name[1] == 'Z' && name[2] == 'N'));
}

/* Append the name as people write it: demangled if Rust made it, else as it is (C++'s, a damaged
 * one, one that would expand to more than 64 KiB). The hash at the end of a legacy name is not part
 * of it: the name depends on the symbol alone, and is the same in every build of a program.
 * False: no memory. */
bool toll_append_demangled(toll_buffer *out, const char *name);

/* The same for readers of profiles, whose names are demangled as they are read, so that profiles
 * add up whoever demangled them: `name` itself unless it may be mangled, else in *room, which is
 * cleared first. NULL: no memory. */
const char *toll_demangled(const char *name, toll_buffer *room);

#endif
