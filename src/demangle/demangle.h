/* demangle.h - names of functions as people write them: symbols of Rust, legacy and v0
 * (rust_symbol.h), and of C++ (cplus_symbol.h) are demangled. */
#ifndef TOLL_DEMANGLE_DEMANGLE_H
#define TOLL_DEMANGLE_DEMANGLE_H

#include "base/buffer.h"

/* May this be a symbol of Rust or C++? False for nearly all other names, at the cost of three
 * bytes. */
static inline bool toll_may_be_mangled(const char *name)
{
    return name[0] == '_' &&
           (name[1] == 'R' || name[1] == 'Z' || (name[1] == '_' && name[2] == 'Z'));
}

/* Append the name: demangled if it is a symbol, else unchanged (a damaged one, one that would
 * expand to more than 64 KiB, one of C++ where the build has no demangler of these). The hash at
 * the end of a legacy symbol of Rust is omitted, so that the name is the same in every build of a
 * program. False: no memory. */
bool toll_append_demangled(toll_buffer *out, const char *name);

/* The same for readers of profiles: all names are demangled when they are read, so that profiles
 * add up whichever tool wrote them. Returns `name` itself unless it is a symbol, else the text in
 * *room, which is cleared first. NULL: no memory. */
const char *toll_demangled(const char *name, toll_buffer *room);

#endif
