/* run_functions.c - sends the process that runs a module where the module's functions are defined,
 * since that process cannot read DWARF. It is read here while the process starts. See run.h. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include "base/buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <toll/debug.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/* Write what was collected. False: the process does not read any more. */
static bool flush(toll_buffer *text, int fd)
{
    const uint8_t *at = text->data, *end = at + text->size;
    while (at < end) {
        ssize_t n = write(fd, at, (size_t)(end - at));
        if (n < 0 && errno != EINTR)
            return false;
        at += n < 0 ? 0 : n;
    }
    toll_buffer_clear(text);
    return true;
}

static bool add(toll_buffer *text, const toll_debug_function *f)
{
    if (!*f->file || strchr(f->file, '\n'))
        return true;
    return toll_buffer_append_format(text, "%" PRIu64 " %" PRIu64 " %" PRIu32 " ", f->begin, f->end,
                                     f->line) &&
           toll_buffer_append_text(text, f->file) && toll_buffer_append_byte(text, '\n');
}

void toll_run_write_functions(const toll_run *run, int fd)
{
    toll_budget budget = { .limit = (size_t)run->settings->max_memory };
    toll_allocator allocator = toll_budget_allocator(&budget);
    toll_debug *debug;
    toll_debug_function f;
    toll_buffer text;
    if (toll_debug_open_functions(&allocator, run->argv[0], &debug, NULL))
        return; /* names are enough to run; the process reports what is wrong with the module */
    toll_buffer_init(&text, &allocator);
    bool good = true;
    for (uint32_t i = 0; good && toll_debug_function_at(debug, i, &f); i++)
        good = add(&text, &f) && (text.size < PIECE || flush(&text, fd));
    if (good)
        flush(&text, fd);
    toll_buffer_free(&text);
    toll_debug_free(debug);
}
