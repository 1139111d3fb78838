/* cplus_symbol.h - demangles C++'s symbols, by libiberty where the build has found it.
 * https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#ifndef TOLL_DEMANGLE_CPLUS_SYMBOL_H
#define TOLL_DEMANGLE_CPLUS_SYMBOL_H

#include "base/buffer.h"

enum {
    TOLL_MOST_CPLUS_SYMBOL = 4096, /* bytes of a symbol: bounds how deep the demangler recurses */
    TOLL_MOST_CPLUS_NAME = 1 << 16 /* bytes of its name */
};

/* Can this build demangle C++'s symbols at all? */
bool toll_has_cplus_symbols(void);

/* Append the name that a symbol (_Z...) encodes, with parameters, as c++filt writes it. False: this
 * build cannot; or it is no such symbol, damaged, longer than TOLL_MOST_CPLUS_SYMBOL, or would
 * expand beyond bounds; then nothing is appended. So it is when the library has no memory; a failed
 * allocation of Toll's own shows in out->failed alone. */
bool toll_append_cplus_symbol(toll_buffer *out, const char *symbol);

#endif
