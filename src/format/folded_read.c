/* folded_read.c - reads folded stacks into a profile.
 *
 * VALUE is what follows the last blank. The differential form `STACK BEFORE AFTER` gives two
 * columns. A file is read in this form only if all lines at its beginning (64 KiB) end in two
 * numbers; a warning says so, since frames may end in numbers, too. Lines that are '#' or begin
 * with "# " are comments. Fractions are rounded, and counted. `VALUE` alone, or `(outside) VALUE`,
 * is what was spent outside of any frame. A frame without a name, as in ";a", is "(unknown)", and
 * counted.
 *
 * Speed: lines are handled in batches from the input's window; see line_cache.h. */
#include "base/demangle.h"
#include "base/fail.h"
#include "base/text.h"
#include "format/folded.h"
#include "format/format_row.h"
#include "format/line_cache.h"

#include <inttypes.h>
#include <string.h>

enum { BATCH = 32, PROBE_SIZE = 64 * 1024 };

/* A line of the current batch. */
typedef struct waiting_line {
    folded_line parts;
    uint64_t hash;   /* of the stack */
    uint64_t number; /* in the file */
} waiting_line;

typedef struct folded_reader {
    toll_input *in;
    const toll_format_options *options;
    toll_profile *profile;
    toll_node_id root;
    toll_line_cache cache;
    toll_buffer name, demangled; /* a frame's name with its NUL */
    int values;                  /* numbers a line */
    uint64_t line;               /* lines begun so far */
    uint64_t fractions, unnamed, comments, cut;
    waiting_line waiting[BATCH];
    int waiting_count;
} folded_reader;

/* --- the beginning -----------------------------------------------------------------------------*/

/* 2 if every line of text[size] ends in two numbers, except blank ones and comments; 1 if one does
 * not; 0: there is no such line. What follows the last line end counts only if `all`. */
static int values_of_lines(const char *text, size_t size, bool all)
{
    int values = 0;
    while (size) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        if (!end && !all)
            break;
        size_t n = length && text[length - 1] == '\r' ? length - 1 : length;
        if (n && !toll_folded_is_comment(text, n)) {
            if (!toll_folded_is_differential(text, n))
                return 1;
            values = 2;
        }
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    return values;
}

static int probe_values(toll_input *in)
{
    size_t want = PROBE_SIZE, got;
    for (;;) {
        const uint8_t *data = toll_input_peek(in, want, &got);
        bool all = got < want;
        int values = values_of_lines((const char *)data, got, all);
        if (values || all)
            return values ? values : 1;
        want = got * 2; /* nothing but comments, or one long line */
    }
}

static toll_status begin_profile(folded_reader *r, toll_error *err)
{
    toll_thread_id thread;
    toll_status status;
    r->values = probe_values(r->in);
    if (r->values == 2) {
        status = toll_profile_add_column(r->profile, "before", "count", NULL, err);
        if (!status)
            status = toll_profile_add_column(r->profile, "after", "count", NULL, err);
        if (!status)
            toll_profile_set_default_column(r->profile, 1);
        toll_format_warn(r->options,
                         "%s: lines end in two numbers: taken as values before and after",
                         toll_input_name(r->in));
    } else {
        status = toll_profile_add_column(r->profile, "samples", "count", NULL, err);
    }
    if (!status)
        status = toll_profile_add_thread(r->profile, "", &thread, err);
    if (!status)
        r->root = toll_profile_root(r->profile, thread);
    return status;
}

/* --- stacks ------------------------------------------------------------------------------------*/

static toll_status enter_frame(folded_reader *r, const char *name, size_t size, toll_node_id *node,
                               toll_error *err)
{
    toll_frame_id frame;
    toll_buffer_clear(&r->name);
    toll_buffer_append(&r->name, name, size);
    const char *text = toll_buffer_cstr(&r->name);
    toll_frame info = { text ? toll_demangled(text, &r->demangled) : NULL, NULL, 0,
                        TOLL_KIND_FUNCTION };
    if (!info.name)
        return toll_fail_nomem(err);
    if (size == 0) {
        info.name = FOLDED_UNNAMED;
        r->unnamed++;
    }
    toll_status status = toll_profile_add_frame(r->profile, &info, &frame, err);
    return status ? status : toll_profile_add_child(r->profile, *node, frame, node, err);
}

/* The node of a stack that is not in the cache. */
static toll_status find_stack(folded_reader *r, const waiting_line *w, toll_node_id *node,
                              toll_error *err)
{
    const char *text = w->parts.stack;
    size_t size = w->parts.stack_size, good = toll_text_check(text, size);
    if (good < size)
        return toll_fail_line(r->in, w->number, err, TOLL_E_SYNTAX,
                              "%s at column %zu; convert the file to UTF-8 first",
                              text[good] ? "the text is not UTF-8" : "a NUL byte", good + 1);
    *node = r->root;
    if (size == strlen(TOLL_OUTSIDE) && memcmp(text, TOLL_OUTSIDE, size) == 0)
        return TOLL_OK;
    while (size) {
        const char *end = memchr(text, ';', size);
        size_t n = end ? (size_t)(end - text) : size;
        toll_status status = enter_frame(r, text, n, node, err);
        if (status)
            return status;
        text += n + (end != NULL);
        size -= n + (end != NULL);
        if (end && size == 0)
            return enter_frame(r, text, 0, node, err); /* "a;" ends in a frame without a name */
    }
    return TOLL_OK;
}

/* --- values ------------------------------------------------------------------------------------*/

/* Up to 18 digits, which cannot overflow: nearly all values. */
static bool short_number(const char *text, size_t size, int64_t *value)
{
    int64_t v = 0;
    if (size == 0 || size > 18)
        return false;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned)(uint8_t)text[i] - '0';
        if (digit > 9)
            return false;
        v = v * 10 + (int64_t)digit;
    }
    *value = v;
    return true;
}

static toll_status parse_value(folded_reader *r, const waiting_line *w, int i, int64_t *value,
                               toll_error *err)
{
    const char *text = w->parts.value[i];
    size_t size = w->parts.value_size[i];
    bool exact = true;
    if (short_number(text, size, value))
        return TOLL_OK;
    if (size && text[0] == '+') {
        text++;
        size--;
    }
    if (!toll_text_i64(text, size, value) && !toll_text_scaled(text, size, 0, value, &exact)) {
        size = w->parts.value_size[i] < 40 ? w->parts.value_size[i] : 40;
        size = toll_text_check(w->parts.value[i], size); /* no half of a character in a message */
        return toll_fail_line(r->in, w->number, err, TOLL_E_SYNTAX,
                              "'%.*s' is not a number that fits 64 bits; a line is STACK %s",
                              (int)size, w->parts.value[i],
                              r->values == 2 ? "BEFORE AFTER" : "VALUE");
    }
    r->fractions += !exact;
    return TOLL_OK;
}

static toll_status too_much(const folded_reader *r, uint64_t line, toll_error *err)
{
    return toll_fail_line(r->in, line, err, TOLL_E_OVERFLOW,
                          "the sum of this stack does not fit 64 bits");
}

static toll_status add_line(folded_reader *r, const waiting_line *w, toll_error *err)
{
    const folded_line *l = &w->parts;
    toll_node_id node = TOLL_NONE;
    toll_status status = TOLL_OK;
    toll_cached_line *known = toll_line_cache_find(&r->cache, l->stack, l->stack_size, w->hash);
    if (!known) {
        status = find_stack(r, w, &node, err);
        if (!status)
            known = toll_line_cache_add(&r->cache, l->stack, l->stack_size, w->hash, node);
    }
    for (int i = 0; !status && i < r->values; i++) {
        int64_t value = 0;
        status = parse_value(r, w, i, &value, err);
        if (status)
            break;
        bool fits =
            known ? toll_i64_add(known->sums[i], value, &known->sums[i])
                  : toll_profile_add_self(r->profile, node, (uint32_t)i, value, NULL) == TOLL_OK;
        if (!fits)
            status = too_much(r, w->number, err);
    }
    return status;
}

/* Add the sums in the cache to the tree. Two texts may be one stack ("5" and "(outside) 5"), so a
 * sum may overflow only here. */
static toll_status add_sums(folded_reader *r, toll_error *err)
{
    const toll_cached_line *l = NULL;
    while ((l = toll_line_cache_next(&r->cache, l)) != NULL)
        for (int i = 0; i < r->values; i++)
            if (toll_profile_add_self(r->profile, l->node, (uint32_t)i, l->sums[i], NULL))
                return too_much(r, r->line, err);
    return TOLL_OK;
}

/* --- lines -------------------------------------------------------------------------------------*/

static toll_status add_batch(folded_reader *r, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (int i = 0; i < r->waiting_count; i++)
        toll_line_cache_warm_line(&r->cache, r->waiting[i].hash);
    for (int i = 0; !status && i < r->waiting_count; i++)
        status = add_line(r, &r->waiting[i], err);
    r->waiting_count = 0;
    return status;
}

static void take_line(folded_reader *r, const char *text, size_t size)
{
    waiting_line *w = &r->waiting[r->waiting_count];
    r->line++;
    if (size && text[size - 1] == '\r')
        size--;
    if (size == 0)
        return;
    if (toll_folded_is_comment(text, size)) {
        r->comments++;
        return;
    }
    toll_folded_split(text, size, r->values, &w->parts);
    w->number = r->line;
    w->hash = toll_line_cache_hash(&r->cache, w->parts.stack, w->parts.stack_size);
    toll_line_cache_warm_slot(&r->cache, w->hash);
    r->waiting_count++;
}

/* Read all whole lines of text[size]; *used: their size. The first `seen` bytes are known to have
 * no line end, so that a line that takes many reads is searched only once. */
static toll_status take_lines(folded_reader *r, const char *text, size_t size, size_t seen,
                              size_t *used, toll_error *err)
{
    const char *start = text, *end;
    toll_status status = TOLL_OK;
    while (!status && size && (end = memchr(text + seen, '\n', size - seen)) != NULL) {
        take_line(r, text, (size_t)(end - text));
        size -= (size_t)(end - text) + 1;
        text = end + 1;
        seen = 0;
        if (r->waiting_count == BATCH)
            status = add_batch(r, err);
    }
    if (!status)
        status = add_batch(r, err);
    *used = (size_t)(text - start);
    return status;
}

static toll_status read_lines(folded_reader *r, toll_error *err)
{
    size_t got = 0, before = 0, used;
    toll_status status = TOLL_OK;
    for (;;) {
        const char *text = (const char *)toll_input_peek(r->in, before + 1, &got);
        if (got == before)
            break; /* the end of the input: the rest is a line without a line end */
        status = take_lines(r, text, got, before, &used, err);
        if (status)
            return status;
        toll_input_skip(r->in, used);
        before = got - used;
    }
    status = toll_input_check(r->in, err);
    if (status || got == 0)
        return status;
    take_line(r, (const char *)toll_input_peek(r->in, got, &got), got);
    r->cut += (uint64_t)r->waiting_count;
    status = add_batch(r, err);
    toll_input_skip(r->in, got);
    return status;
}

static toll_status add_notes(folded_reader *r, toll_error *err)
{
    toll_profile *p = r->profile;
    toll_status status = toll_profile_add_note(p, "fractional values, rounded", r->fractions, err);
    if (!status)
        status = toll_profile_add_note(p, "frames without a name", r->unnamed, err);
    if (!status)
        status = toll_profile_add_note(p, "comment lines, skipped", r->comments, err);
    if (!status)
        status = toll_profile_add_note(p, "lines without a line end (the last one: cut off?)",
                                       r->cut, err);
    return status;
}

toll_status toll_folded_read(toll_read_job *job, toll_error *err)
{
    const toll_mem *mem = toll_input_mem(job->in);
    folded_reader r = { .in = job->in, .options = job->options };
    toll_status status = toll_profile_create(mem, &r.profile, err);
    if (status)
        return status;
    toll_line_cache_init(&r.cache, mem);
    toll_buffer_init(&r.name, mem);
    toll_buffer_init(&r.demangled, mem);
    status = begin_profile(&r, err);
    if (!status)
        status = read_lines(&r, err);
    if (!status)
        status = add_sums(&r, err);
    if (!status)
        status = add_notes(&r, err);
    toll_line_cache_free(&r.cache);
    toll_buffer_free(&r.name);
    toll_buffer_free(&r.demangled);
    if (status)
        toll_profile_free(r.profile);
    else
        job->profile = r.profile;
    return status;
}
