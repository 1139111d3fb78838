/* demangle.c - see demangle.h. */
#include "base/demangle.h"

#include "base/rust_symbol.h"

bool toll_append_demangled(toll_buffer *out, const char *name)
{
    if (!toll_may_be_mangled(name) || !toll_append_rust_symbol(out, name))
        toll_buffer_append_text(out, name);
    return !out->failed;
}

const char *toll_demangled(const char *name, toll_buffer *room)
{
    if (!toll_may_be_mangled(name))
        return name;
    toll_buffer_clear(room);
    toll_append_demangled(room, name);
    return toll_buffer_cstr(room);
}
