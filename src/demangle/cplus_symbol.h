/* cplus_symbol.h - demangles C++ symbols with libiberty, if the build has found it.
 * https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#ifndef TOLL_DEMANGLE_CPLUS_SYMBOL_H
#define TOLL_DEMANGLE_CPLUS_SYMBOL_H

#include "base/buffer.h"

enum {
    TOLL_MOST_CPLUS_SYMBOL = 4096, /* bytes of a symbol; bounds the demangler's recursion */
    TOLL_MOST_CPLUS_NAME = 1 << 16 /* bytes of its name */
};

/* Can this build demangle C++ symbols at all? */
bool toll_has_cplus_symbols(void);

/* Append the name that a symbol (_Z...) encodes, with parameters, as c++filt writes it. False, and
 * nothing is appended: this build cannot demangle; it is not such a symbol; it is damaged, longer
 * than TOLL_MOST_CPLUS_SYMBOL, or would expand beyond the limits; or libiberty has no memory. A
 * failed allocation of Toll itself only sets out->failed. */
bool toll_append_cplus_symbol(toll_buffer *out, const char *symbol);

#endif
