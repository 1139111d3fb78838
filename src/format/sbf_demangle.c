/* sbf_demangle.c - Rust's symbols, legacy and v0, as people write them, by GNU's libiberty. See
 * sbf_elf.h. The only file that knows of libiberty; without it names stay as they are. */
#include "format/sbf_elf.h"

#if TOLL_HAVE_LIBIBERTY

#include <libiberty/demangle.h>

static void append_piece(const char *text, size_t size, void *out)
{
    toll_buffer_append(out, text, size);
}

bool toll_sbf_demangles(void)
{
    return true;
}

/* libiberty allocates nothing here, and bounds its own recursion. */
bool toll_sbf_append_name(toll_buffer *out, const char *symbol)
{
    size_t before = out->size;
    if (!rust_demangle_callback(symbol, DMGL_PARAMS, append_piece, out) && !out->failed) {
        out->size = before;
        toll_buffer_append_text(out, symbol);
    }
    return !out->failed;
}

#else

bool toll_sbf_demangles(void)
{
    return false;
}

bool toll_sbf_append_name(toll_buffer *out, const char *symbol)
{
    return toll_buffer_append_text(out, symbol);
}

#endif
