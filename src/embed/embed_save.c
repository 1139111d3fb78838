/* embed_save.c - finds the file's name for a recording of toll/embed.h, and writes it. All of it
 * may run in a signal handler. */
#include "base/fail.h"
#include "base/kernel_memory.h"
#include "embed/embed_data.h"
#include "embed/embed_system.h"
#include "registry/format_table.h"

#include <stdio.h>
#include <string.h>
#include <toll/format.h>
#include <toll/version.h>

enum { STANDARD_ERROR = 2 };

static void put(const char *text)
{
    ptrdiff_t written = toll_os_write(STANDARD_ERROR, text, strlen(text));
    (void)written; /* there is no other place to report to */
}

void toll_embed_complain(const toll_error *err)
{
    char line[2 * TOLL_ERROR_SIZE];
    put("toll: ");
    put(toll_printable(err->text, line, sizeof line));
    put("\n");
}

/* --- the file's name ---------------------------------------------------------------------------*/

/* Replace %p and %n in the pattern by their numbers. False: the result is too long. */
static bool expand(const toll_embed *e, char path[TOLL_OS_PATH_SIZE])
{
    enum { MOST_DIGITS = 24 };
    size_t n = 0;
    for (const char *c = e->pattern; *c; c++) {
        if (n + MOST_DIGITS > TOLL_OS_PATH_SIZE)
            return false;
        if (*c != '%')
            path[n++] = *c;
        else if (*++c == 'p')
            n += (size_t)snprintf(path + n, MOST_DIGITS, "%lu", toll_embed_process());
        else if (*c == 'n')
            n += (size_t)snprintf(path + n, MOST_DIGITS, "%lu", (unsigned long)e->number);
        else if (*c == '%')
            path[n++] = '%';
        else
            return false;
    }
    path[n] = 0;
    return true;
}

toll_status toll_embed_set_path(toll_embed *e, const char *pattern, toll_error *err)
{
    char path[TOLL_OS_PATH_SIZE], names[200];
    if (strlen(pattern) >= sizeof e->pattern)
        return toll_fail(err, TOLL_E_ARGUMENT, "the file's name is too long");
    strcpy(e->pattern, pattern);
    for (const char *c = pattern; (c = strchr(c, '%')) != NULL; c += c[1] ? 2 : 1) {
        e->is_by_process = e->is_by_process || c[1] == 'p';
        e->is_numbered = e->is_numbered || c[1] == 'n';
    }
    if (!expand(e, path))
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "%.200s: too long, or a percent sign that is not %%p, %%n or %%%%",
                         pattern);
    const toll_format *format = toll_format_for_path(path);
    if (format && format->writes && !format->needs_timeline)
        return TOLL_OK;
    toll_format_list_names(names, sizeof names, true);
    return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                     format ? "%.200s: %s needs calls in order of time, which are not kept here; "
                              "end the name in .pb.gz, .folded, .html, ..."
                            : "%.200s: the name has no format's extension; end it in .pb.gz, "
                              ".folded, .html, ...%.0s",
                     pattern, format ? format->name : "");
}

/* --- the file ----------------------------------------------------------------------------------*/

static toll_status add_notes(const toll_embed *e, int signal_number, toll_profile *p,
                             toll_error *err)
{
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { "calls with an id of another recording, folded", e->stale_ids },
        { "frames that toll_embed_sync was not told of, shown as (not seen)", e->frames_not_seen },
        { "budgets without a counter, ignored", e->odd_budgets },
        { "the program was ended by a signal", signal_number != 0 },
    };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < sizeof notes / sizeof *notes; i++)
        status = toll_profile_add_note(p, notes[i].text, notes[i].count, err);
    return status;
}

static toll_status save(const toll_embed *e, int signal_number, const toll_allocator *allocator,
                        toll_error *err)
{
    char path[TOLL_OS_PATH_SIZE];
    toll_profile *p;
    const toll_format_options o = { .size = sizeof o, .no_sync = signal_number != 0 };
    if (!expand(e, path))
        return toll_fail(err, TOLL_E_ARGUMENT, "%.200s: too long", e->pattern);
    toll_status status = toll_recorder_snapshot(e->recorder, allocator, &p, err);
    if (status)
        return status;
    const toll_thread_label fact = { "toll", TOLL_VERSION_STRING };
    status = add_notes(e, signal_number, p, err);
    if (!status)
        status = toll_profile_add_run(p, &fact, 1, err);
    if (!status)
        status = toll_profile_save_as(p, NULL, path, NULL, &o, err);
    toll_profile_free(p);
    return status;
}

toll_status toll_embed_write(toll_embed *e, int signal_number, toll_error *err)
{
    toll_kernel_memory memory = { .left = 0 };
    toll_allocator allocator = toll_kernel_memory_allocator(&memory);
    toll_embed_read_counters(e);
    toll_recorder_charge(e->recorder, e->now);
    toll_status status = save(e, signal_number, &allocator, err);
    toll_kernel_memory_free(&memory);
    return status;
}
