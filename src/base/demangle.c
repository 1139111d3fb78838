/* demangle.c - see demangle.h. The only file that knows of libiberty. */
#include "base/demangle.h"

#if TOLL_HAVE_LIBIBERTY

#include <libiberty/demangle.h>
#include <setjmp.h>

enum { MOST_STEPS = 1 << 16 };

/* A v0 symbol refers back to its own parts: 250 bytes can stand for a gigabyte. libiberty has no
 * limit, and its callback cannot refuse, so the way out of a symbol that grows without end is a
 * jump. libiberty allocates nothing here: nothing is lost by it. */
typedef struct demangling {
    toll_buffer *out;
    size_t steps; /* bytes and pieces so far */
    jmp_buf too_long;
} demangling;

static void append_piece(const char *text, size_t size, void *user)
{
    demangling *d = user;
    d->steps += size + 1;
    if (d->steps > MOST_STEPS)
        longjmp(d->too_long, 1);
    toll_buffer_append(d->out, text, size);
}

static bool demangle(demangling *d, const char *name)
{
    if (setjmp(d->too_long))
        return false;
    return rust_demangle_callback(name, DMGL_PARAMS, append_piece, d) != 0;
}

bool toll_demangles(void)
{
    return true;
}

bool toll_append_demangled(toll_buffer *out, const char *name)
{
    demangling d = { .out = out };
    const size_t before = out->size;
    bool done = toll_may_be_mangled(name) && demangle(&d, name) && out->size > before;
    if (!done && !out->failed) {
        out->size = before;
        toll_buffer_append_text(out, name);
    }
    return !out->failed;
}

#else

bool toll_demangles(void)
{
    return false;
}

bool toll_append_demangled(toll_buffer *out, const char *name)
{
    return toll_buffer_append_text(out, name);
}

#endif

const char *toll_demangled(const char *name, toll_buffer *room)
{
    if (!toll_may_be_mangled(name))
        return name;
    toll_buffer_clear(room);
    toll_append_demangled(room, name);
    return toll_buffer_cstr(room);
}
