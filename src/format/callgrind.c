/* callgrind.c - writes files for KCachegrind and callgrind_annotate. Format: "Callgrind
 * Format Specification" in valgrind's manual.
 *
 * For each function: its self costs line by line, and after those of a line, for each callee that
 * is called there, the number of calls and the total cost of these. See callgrind.h.
 *
 * Names are written once and then replaced by their number ("fn=(3) name", "fn=(3)"), so that no
 * name can be mistaken for a number. */
#include "format/callgrind.h"

#include "base/fail.h"
#include "base/printable.h"
#include "format/format_row.h"

#include <string.h>
#include <toll/version.h>

toll_sniff toll_callgrind_sniff(const uint8_t *data, size_t size)
{
    static const char *const starts[] = { "# callgrind format",
                                          "version: ", "creator: ", "events: " };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (size >= strlen(starts[i]) && memcmp(data, starts[i], strlen(starts[i])) == 0)
            return TOLL_SNIFF_SURE;
    return TOLL_SNIFF_NO;
}

typedef struct callgrind_writer {
    toll_callgrind_sums sums;
    const toll_profile *p;
    toll_labels labels;
    toll_output *out;
    uint32_t *numbers; /* by function; 0: its name has not been written yet */
    uint32_t function_count;
    toll_u64map files; /* address of a file's name -> its number */
    uint32_t file_count;
} callgrind_writer;

/* --- names -------------------------------------------------------------------------------------*/

static void put_name(toll_output *out, const char *name)
{
    for (; *name; name++) {
        size_t bad = toll_control_size(name);
        toll_output_write(out, bad ? " " : name, 1);
        if (bad)
            name += bad - 1;
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char event_char(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
}

static bool same_event_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (event_char(*a) != event_char(*b))
            return false;
    return *a == *b;
}

/* Write a name in the form that callgrind accepts: a letter, then letters, digits and _. A number
 * is added if two columns would have the same name. */
static void put_event_name(const callgrind_writer *w, uint32_t c)
{
    const char *type = toll_profile_column(w->p, w->sums.columns[c]).type;
    uint32_t same = 0;
    for (uint32_t i = 0; i < c; i++)
        same += same_event_name(toll_profile_column(w->p, w->sums.columns[i]).type, type);
    toll_output_printf(w->out, is_letter(*type) ? " " : " event_");
    for (const char *t = type; *t; t++) {
        char plain = event_char(*t);
        toll_output_write(w->out, &plain, 1);
    }
    if (same)
        toll_output_printf(w->out, "__%u", same + 1);
}

/* Write `key`, which says what the file belongs to, and the file. False: no memory. */
static bool put_file(callgrind_writer *w, const char *key, const char *file)
{
    uint64_t address = (uintptr_t)file; /* equal names are one string in a profile */
    uint32_t number = toll_u64map_find(&w->files, address);
    bool is_new = number == UINT32_MAX;
    if (is_new) {
        number = ++w->file_count;
        if (!toll_u64map_add(&w->files, address, number))
            return false;
    }
    toll_output_printf(w->out, "%s=(%u)", key, number);
    if (is_new) {
        toll_output_write(w->out, " ", 1);
        put_name(w->out, *file ? file : "???");
    }
    toll_output_write(w->out, "\n", 1);
    return true;
}

static toll_frame_id first_frame(const callgrind_writer *w, uint32_t function)
{
    return w->sums.order.frames[function];
}

/* Write the file and the name of a function, or of a callee ("cfi", "cfn"). False: no memory. */
static bool put_function(callgrind_writer *w, const char *file_key, const char *key,
                         uint32_t function)
{
    if (!put_file(w, file_key, toll_profile_frame(w->p, first_frame(w, function)).file))
        return false;
    bool is_new = w->numbers[function] == 0;
    if (is_new)
        w->numbers[function] = ++w->function_count;
    toll_output_printf(w->out, "%s=(%u)", key, w->numbers[function]);
    if (is_new) {
        toll_output_write(w->out, " ", 1);
        put_name(w->out, toll_label(&w->labels, first_frame(w, function)));
    }
    toll_output_write(w->out, "\n", 1);
    return true;
}

/* --- costs -------------------------------------------------------------------------------------*/

static void put_costs(const callgrind_writer *w, const int64_t *values, uint32_t line)
{
    toll_output_printf(w->out, "%u", line);
    for (uint32_t c = 0; c < w->sums.column_count; c++)
        toll_output_printf(w->out, " %lld", (long long)values[c]);
    toll_output_write(w->out, "\n", 1);
}

/* Write a line's own cost and the calls from it. False: no memory. */
static bool put_site(callgrind_writer *w, const toll_callgrind_site *site)
{
    const toll_callgrind_sums *s = &w->sums;
    put_costs(w, s->self + (size_t)site->id * s->column_count, site->line);
    for (uint32_t e = site->first_edge; e != TOLL_NONE; e = s->edges[e].next) {
        uint32_t callee = s->edges[e].callee;
        const int64_t *values = toll_callgrind_edge_values(s, e);
        if (!put_function(w, "cfi", "cfn", callee))
            return false;
        toll_output_printf(w->out, "calls=%lld %u\n", (long long)values[0],
                           toll_profile_frame(w->p, first_frame(w, callee)).line);
        put_costs(w, values + 1, site->line);
    }
    return true;
}

/* Write all sites. The sites of a function are together, and within them those of a file. A line
 * "fi" or "fe" switches to a file that is not the function's own. False: no memory. */
static bool put_sites(callgrind_writer *w)
{
    const toll_callgrind_site *before = NULL;
    for (size_t i = 0; i < w->sums.site_count; i++) {
        const toll_callgrind_site *site = &w->sums.sites[i];
        bool is_new = !before || before->function != site->function;
        if (is_new && before)
            toll_output_write(w->out, "\n", 1);
        if (is_new && !put_function(w, "fl", "fn", site->function))
            return false;
        bool moves = is_new ? !site->is_own : before->file != site->file;
        if (moves && !put_file(w, "fi", site->file))
            return false;
        if (!put_site(w, site))
            return false;
        before = site;
    }
    if (before)
        toll_output_write(w->out, "\n", 1);
    return true;
}

static void put_head(callgrind_writer *w)
{
    toll_callgrind_sums *s = &w->sums;
    toll_output_printf(w->out,
                       "# callgrind format\nversion: 1\ncreator: toll %s\n"
                       "positions: line\nevents:",
                       toll_version());
    for (uint32_t c = 0; c < s->column_count; c++)
        put_event_name(w, c);
    toll_output_printf(w->out, "\nsummary:");
    for (uint32_t c = 0; c < s->column_count; c++) {
        int64_t sum = 0;
        for (uint32_t t = 0; t < s->order.thread_count; t++)
            toll_callgrind_add(s, &sum, s->totals[c][toll_profile_root(w->p, t)]);
        toll_output_printf(w->out, " %lld", (long long)sum);
    }
    toll_output_printf(w->out, "\n\n");
}

static bool put_all(callgrind_writer *w)
{
    bool any = false;
    put_head(w);
    if (!put_sites(w))
        return false;
    for (uint32_t c = 0; c < w->sums.column_count; c++)
        any |= w->sums.outside[c] != 0;
    if (any) {
        toll_output_printf(w->out, "fl=(%u) ???\nfn=(%u) %s\n", w->file_count + 1,
                           w->function_count + 1, TOLL_OUTSIDE);
        put_costs(w, w->sums.outside, 0);
    }
    return true;
}

static void warn(const callgrind_writer *w, const toll_format_options *options)
{
    if (w->sums.calls == TOLL_NONE)
        toll_format_warn(options, "how often functions were called is not known: "
                                  "a call is counted for each stack");
    if (w->sums.has_inlined)
        toll_format_warn(options, "callgrind has no inlined functions: their lines are those of "
                                  "the functions around them");
    if (w->sums.clamped)
        toll_format_warn(options, "callgrind holds no negative values; left out: %llu of them",
                         (unsigned long long)w->sums.clamped);
}

toll_status toll_callgrind_write(const toll_write_job *job, toll_error *err)
{
    callgrind_writer w = { .p = job->profile, .out = job->out };
    const toll_mem *mem = toll_profile_mem(w.p);
    toll_u64map_init(&w.files, mem);
    toll_status status = toll_callgrind_sum(&w.sums, w.p, err);
    size_t functions = (size_t)w.sums.order.frame_count + 1;
    if (!status)
        status = toll_labels_create(&w.labels, &w.sums.order, err);
    if (!status) {
        w.numbers = toll_mem_new(mem, functions, sizeof *w.numbers);
        status = w.numbers && put_all(&w) ? TOLL_OK : toll_fail_nomem(err);
        toll_labels_free(&w.labels);
    }
    if (!status)
        warn(&w, job->options);
    toll_mem_free(mem, w.numbers, functions, sizeof *w.numbers);
    toll_u64map_free(&w.files);
    toll_callgrind_free(&w.sums);
    return status;
}
