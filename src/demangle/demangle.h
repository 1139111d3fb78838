/* demangle.h - turns symbols into names as people write them: Rust's, legacy and v0
 * (rust_symbol.h), and C++'s (cplus_symbol.h). */
#ifndef TOLL_DEMANGLE_DEMANGLE_H
#define TOLL_DEMANGLE_DEMANGLE_H

#include "base/buffer.h"

/* May this be a symbol of Rust or C++? False for nearly all other names; reads at most three
 * bytes. */
static inline bool toll_may_be_mangled(const char *name)
{
    return name[0] == '_' &&
           (name[1] == 'R' || name[1] == 'Z' || (name[1] == '_' && name[2] == 'Z'));
}

/* Append the name, demangled if it is a symbol. It is unchanged if the symbol is damaged, would
 * expand to more than 64 KiB, or is of C++ and the build cannot demangle these. The hash at the end
 * of a legacy Rust symbol is omitted, so that the name is the same in every build of a program.
 * False: no memory. */
bool toll_append_demangled(toll_buffer *out, const char *name);

/* The same for readers of profiles: all names are demangled when they are read, so that profiles of
 * all tools can be merged. Returns `name` itself if it is not a symbol, else the text in *room,
 * which is cleared first. NULL: no memory. */
const char *toll_demangled(const char *name, toll_buffer *room);

#endif
