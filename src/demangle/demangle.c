/* demangle.c - see demangle.h. */
#include "demangle/demangle.h"

#include "demangle/cplus_symbol.h"
#include "demangle/rust_symbol.h"

/* Append the name that a symbol encodes. False: it is not a symbol. */
static bool append_symbol(toll_buffer *out, const char *name)
{
    if (!toll_may_be_mangled(name))
        return false;
    name += name[1] == '_'; /* some systems prepend an underscore */
    return toll_append_rust_symbol(out, name) || toll_append_cplus_symbol(out, name);
}

bool toll_append_demangled(toll_buffer *out, const char *name)
{
    if (!append_symbol(out, name))
        toll_buffer_append_text(out, name);
    return !out->failed;
}

const char *toll_demangled(const char *name, toll_buffer *room)
{
    toll_buffer_clear(room);
    bool is_symbol = append_symbol(room, name);
    if (room->failed)
        return NULL;
    return is_symbol ? toll_buffer_cstr(room) : name;
}
