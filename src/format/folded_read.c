/* folded_read.c - reads folded stacks into a profile.
 *
 * VALUE follows the last blank. The differential form `STACK BEFORE AFTER` gives two columns. A
 * file is read in this form only if all lines at its beginning (64 KiB) end in two numbers; a
 * warning says so, since frames may end in numbers, too. Lines that are '#' or begin with "# " are
 * comments. Fractions are rounded, and counted. `VALUE` alone, or `(outside) VALUE`, was spent
 * outside of any frame. A frame without a name, as in ";a", is named "(unknown)", and counted. A
 * byte that is not UTF-8 becomes the four characters \xNN of the name, and is counted.
 *
 * Speed: lines are processed in batches from the input's window; see line_cache.h. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "base/text.h"
#include "format/folded.h"
#include "format/format_row.h"
#include "format/line_cache.h"
#include "profile/frame_name.h"

#include <inttypes.h>
#include <string.h>
#include <toll/folded.h>

enum { BATCH = 32, PROBE_SIZE = 64 * 1024 };

/* A line of the current batch. */
typedef struct waiting_line {
    folded_line parts;
    uint64_t hash;   /* of the stack */
    uint64_t number; /* line number in the file */
} waiting_line;

typedef struct folded_reader {
    toll_failure failure;
    toll_input *in;
    const toll_format_options *options;
    toll_folded_options own;
    toll_profile *profile;
    toll_node_id root;
    toll_line_cache cache;
    toll_buffer name, demangled; /* a frame's name with its NUL */
    int values;                  /* numbers at the end of each line */
    uint64_t line;               /* lines begun so far */
    uint64_t fractions, unnamed, comments, cut, escaped;
    waiting_line waiting[BATCH];
    int waiting_count;
} folded_reader;

/* --- the beginning -----------------------------------------------------------------------------*/

/* How many numbers end the lines of text[size], except blank lines and comments: 2 if every line
 * ends in two, else 1; 0 if there is no such line. Text after the last line end counts only if
 * `all`. */
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

/* Skip all blank lines and comments at the beginning, so that the window that is examined has a
 * stack. The last line counts only if it has a line end. */
static void skip_empty_lines(folded_reader *r)
{
    size_t got, used;
    do {
        const char *text = (const char *)toll_input_peek(r->in, PROBE_SIZE, &got), *end;
        for (used = 0; (end = memchr(text + used, '\n', got - used)) != NULL; r->line++) {
            size_t size = (size_t)(end - text) - used;
            size_t n = size && end[-1] == '\r' ? size - 1 : size;
            bool is_comment = toll_folded_is_comment(text + used, n);
            if (n && !is_comment)
                break;
            r->comments += is_comment;
            used += size + 1;
        }
        toll_input_skip(r->in, used);
    } while (used);
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
        want = got * 2; /* one long line */
    }
}

static bool add_column(folded_reader *r, const char *name)
{
    const char *unit = r->own.unit ? r->own.unit : "count";
    return toll_ok(&r->failure,
                   toll_profile_add_column(r->profile, name, unit, NULL, r->failure.err));
}

static bool add_columns(folded_reader *r)
{
    skip_empty_lines(r);
    r->values = probe_values(r->in);
    if (r->values == 1)
        return add_column(r, r->own.value ? r->own.value : "samples");
    if (!add_column(r, "before") || !add_column(r, "after"))
        return false;
    toll_profile_set_default_column(r->profile, 1);
    toll_format_warn(r->options, "%s: lines end in two numbers: taken as values before and after",
                     toll_input_name(r->in));
    return true;
}

static bool begin_profile(folded_reader *r)
{
    toll_thread_id thread;
    if (!add_columns(r) ||
        !toll_ok(&r->failure, toll_profile_add_thread(r->profile, "", &thread, r->failure.err)))
        return false;
    r->root = toll_profile_root(r->profile, thread);
    return true;
}

/* --- stacks ------------------------------------------------------------------------------------*/

/* Copy the name to r->name, with each byte that is not UTF-8 as \xNN. True: there was one. */
static bool escape_name(folded_reader *r, const char *name, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    bool any = false;
    toll_buffer_clear(&r->name);
    while (size) {
        size_t good = toll_text_check(name, size);
        toll_buffer_append(&r->name, name, good);
        if (good < size) {
            unsigned byte = (uint8_t)name[good++];
            const char escaped[] = { '\\', 'x', digits[byte >> 4], digits[byte & 15] };
            toll_buffer_append(&r->name, escaped, sizeof escaped);
            any = true;
        }
        name += good;
        size -= good;
    }
    return any;
}

static bool enter_frame(folded_reader *r, const char *name, size_t size, toll_node_id *node)
{
    toll_failure *f = &r->failure;
    toll_frame_id frame;
    uint32_t known = toll_profile_frame_count(r->profile);
    bool is_escaped = escape_name(r, name, size);
    const char *text = toll_buffer_cstr(&r->name);
    toll_frame info = { .name = text };
    if (!text || !toll_frame_demangle(&info, &r->demangled))
        return toll_no_memory(f);
    if (size == 0) {
        info.name = FOLDED_UNNAMED;
        r->unnamed++;
    }
    if (!toll_ok(f, toll_profile_add_frame(r->profile, &info, &frame, f->err)))
        return false;
    r->escaped += is_escaped && toll_profile_frame_count(r->profile) > known;
    return toll_ok(f, toll_profile_add_child(r->profile, *node, frame, node, f->err));
}

static bool check_text(folded_reader *r, const waiting_line *w)
{
    const char *nul = memchr(w->parts.stack, 0, w->parts.stack_size);
    return !nul ||
           toll_ok(&r->failure, toll_fail_line(r->in, w->number, r->failure.err, TOLL_E_SYNTAX,
                                               "a NUL byte at column %zu; is this a text file?",
                                               (size_t)(nul - w->parts.stack) + 1));
}

/* The node of a stack that is not in the cache. */
static bool find_stack(folded_reader *r, const waiting_line *w, toll_node_id *node)
{
    const char *text = w->parts.stack;
    size_t size = w->parts.stack_size;
    bool more = true;
    if (!check_text(r, w))
        return false;
    *node = r->root;
    if (size == 0 || (size == strlen(TOLL_OUTSIDE) && memcmp(text, TOLL_OUTSIDE, size) == 0))
        return true;
    while (more) { /* once more after the last ';': "a;" ends in a frame without a name */
        const char *end = memchr(text, ';', size);
        size_t n = end ? (size_t)(end - text) : size;
        if (!enter_frame(r, text, n, node))
            return false;
        more = end != NULL;
        text += n + more;
        size -= n + more;
    }
    return true;
}

/* --- values ------------------------------------------------------------------------------------*/

/* Parse up to 18 digits, which cannot overflow; nearly all values are that short. */
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

static bool parse_value(folded_reader *r, const waiting_line *w, int i, int64_t *value)
{
    const char *text = w->parts.value[i];
    size_t size = w->parts.value_size[i];
    bool exact = true;
    if (short_number(text, size, value))
        return true;
    if (size && text[0] == '+') {
        text++;
        size--;
    }
    if (!toll_text_i64(text, size, value) && !toll_text_scaled(text, size, 0, value, &exact)) {
        size = w->parts.value_size[i] < 40 ? w->parts.value_size[i] : 40;
        size = toll_text_check(w->parts.value[i], size); /* no cut character in a message */
        return toll_ok(&r->failure,
                       toll_fail_line(r->in, w->number, r->failure.err, TOLL_E_SYNTAX,
                                      "'%.*s' is not a number that fits 64 bits; a line is STACK "
                                      "%s",
                                      (int)size, w->parts.value[i],
                                      r->values == 2 ? "BEFORE AFTER" : "VALUE"));
    }
    r->fractions += !exact;
    return true;
}

static bool too_much(folded_reader *r, uint64_t line)
{
    return toll_ok(&r->failure, toll_fail_line(r->in, line, r->failure.err, TOLL_E_OVERFLOW,
                                               "the sum of this stack does not fit 64 bits"));
}

static bool add_line(folded_reader *r, const waiting_line *w)
{
    const folded_line *l = &w->parts;
    toll_node_id node = TOLL_NONE;
    toll_cached_line *known = toll_line_cache_find(&r->cache, l->stack, l->stack_size, w->hash);
    if (!known) {
        if (!find_stack(r, w, &node))
            return false;
        known = toll_line_cache_add(&r->cache, l->stack, l->stack_size, w->hash, node);
    }
    for (int i = 0; i < r->values; i++) {
        int64_t value = 0;
        if (!parse_value(r, w, i, &value))
            return false;
        bool fits =
            known ? toll_i64_add(known->sums[i], value, &known->sums[i])
                  : toll_profile_add_self(r->profile, node, (uint32_t)i, value, NULL) == TOLL_OK;
        if (!fits)
            return too_much(r, w->number);
    }
    return true;
}

/* Add the sums in the cache to the tree. Two texts can be one stack ("5" and "(outside) 5"), so a
 * sum that fitted in the cache can still overflow here. */
static bool add_sums(folded_reader *r)
{
    const toll_cached_line *l = NULL;
    while ((l = toll_line_cache_next(&r->cache, l)) != NULL)
        for (int i = 0; i < r->values; i++)
            if (toll_profile_add_self(r->profile, l->node, (uint32_t)i, l->sums[i], NULL))
                return too_much(r, r->line);
    return true;
}

/* --- lines -------------------------------------------------------------------------------------*/

static bool add_batch(folded_reader *r)
{
    bool good = true;
    for (int i = 0; i < r->waiting_count; i++)
        toll_line_cache_warm_line(&r->cache, r->waiting[i].hash);
    for (int i = 0; good && i < r->waiting_count; i++)
        good = add_line(r, &r->waiting[i]);
    r->waiting_count = 0;
    return good;
}

static void read_line(folded_reader *r, const char *text, size_t size)
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

/* Read all complete lines of text[size]; *used becomes their size. The first `seen` bytes are known
 * to have no line end, so that a line that needs many reads is searched only once. */
static bool take_lines(folded_reader *r, const char *text, size_t size, size_t seen, size_t *used)
{
    const char *start = text, *end;
    bool good = true;
    while (good && size && (end = memchr(text + seen, '\n', size - seen)) != NULL) {
        read_line(r, text, (size_t)(end - text));
        size -= (size_t)(end - text) + 1;
        text = end + 1;
        seen = 0;
        if (r->waiting_count == BATCH)
            good = add_batch(r);
    }
    *used = (size_t)(text - start);
    return good && add_batch(r);
}

static bool read_lines(folded_reader *r)
{
    size_t got = 0, before = 0, used;
    for (;;) {
        const char *text = (const char *)toll_input_peek(r->in, before + 1, &got);
        if (got == before)
            break; /* end of input: the rest is a line without a line end */
        if (!take_lines(r, text, got, before, &used))
            return false;
        toll_input_skip(r->in, used);
        before = got - used;
    }
    if (!toll_ok(&r->failure, toll_input_check(r->in, r->failure.err)))
        return false;
    if (got == 0)
        return true;
    read_line(r, (const char *)toll_input_peek(r->in, got, &got), got);
    r->cut += (uint64_t)r->waiting_count;
    bool good = add_batch(r);
    toll_input_skip(r->in, got);
    return good;
}

static bool add_note(folded_reader *r, const char *text, uint64_t count)
{
    return toll_ok(&r->failure, toll_profile_add_note(r->profile, text, count, r->failure.err));
}

static bool add_notes(folded_reader *r)
{
    return add_note(r, "fractional values, rounded", r->fractions) &&
           add_note(r, "frames without a name", r->unnamed) &&
           add_note(r, "comment lines, skipped", r->comments) &&
           add_note(r, "names with bytes that are not UTF-8, shown as \\xNN", r->escaped) &&
           add_note(r, "lines without a line end (the last one: cut off?)", r->cut);
}

toll_status toll_folded_read(toll_read_job *job, toll_error *err)
{
    const toll_mem *mem = toll_input_mem(job->in);
    folded_reader r = { .failure.err = err, .in = job->in, .options = job->options };
    toll_status status =
        toll_options_copy(&r.own, sizeof r.own, job->own, "toll_folded_options", err);
    if (status || (status = toll_profile_create(mem, &r.profile, err)) != TOLL_OK)
        return status;
    toll_line_cache_init(&r.cache, mem);
    toll_buffer_init(&r.name, mem);
    toll_buffer_init(&r.demangled, mem);
    if (begin_profile(&r) && read_lines(&r) && add_sums(&r) && add_notes(&r))
        job->profile = r.profile;
    else
        toll_profile_free(r.profile);
    toll_line_cache_free(&r.cache);
    toll_buffer_free(&r.name);
    toll_buffer_free(&r.demangled);
    return r.failure.status;
}
