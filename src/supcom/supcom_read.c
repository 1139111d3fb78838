/* supcom_read.c - reads the format "supcom": a game's log with lines of hosts/supcom/profiler.lua,
 * or of another profiler that writes the same. See supcom.h.
 *
 * Only lines that begin exactly with a prefix count. Lines that are not a stack, or a note, are
 * skipped and counted, and the first of them are quoted, with the reason; with options->strict the
 * first one is an error. */
#include "base/sized_options.h"
#include "base/text.h"
#include "supcom/supcom.h"

#include <inttypes.h>
#include <string.h>
#include <toll/supcom.h>

enum { MOST_QUOTED = 3, QUOTED_SIZE = 100, LONGEST_NOTE = 200 };

/* --- recognising -------------------------------------------------------------------------------*/

static bool begins_with(const char *text, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(text, word, n) == 0;
}

/* The size of what the game puts before a line. */
static size_t log_prefix(const char *text, size_t size)
{
    return begins_with(text, size, SUPCOM_LOG_PREFIX) ? sizeof SUPCOM_LOG_PREFIX - 1 : 0;
}

/* The size of the prefix of a line about a stack, or of a note; 0: it is another line. */
static size_t prefix_of(const char *text, size_t size, const char *word)
{
    size_t before = log_prefix(text, size);
    return begins_with(text + before, size - before, word) ? before + strlen(word) : 0;
}

static bool is_ours(const char *text, size_t size)
{
    return prefix_of(text, size, SUPCOM_PREFIX) || prefix_of(text, size, SUPCOM_NOTE);
}

/* The size without the blanks and carriage returns at the end. */
static size_t trimmed(const char *text, size_t size)
{
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t' || text[size - 1] == '\r'))
        size--;
    return size;
}

/* A line that only the profiler writes: with the game's prefix, or with values at its end. */
static bool is_surely_ours(const char *text, size_t size)
{
    size_t n = trimmed(text, size);
    return is_ours(text, size) &&
           (log_prefix(text, size) || (n > 4 && text[n - 4] == ',' && text[n - 2] == ','));
}

/* Did the game write this line? Indented lines continue the line before. */
static bool is_of_game(const char *text, size_t size)
{
    return begins_with(text, size, "info: ") || begins_with(text, size, "warning: ") ||
           begins_with(text, size, "debug: ") || begins_with(text, size, "         ");
}

/* The profile may begin late in a log. Then the hint is that most lines look like the game's. */
toll_sniff toll_supcom_sniff(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size;
    size_t lines = 0, of_game = 0;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((stop ? stop : end) - text);
        if (is_surely_ours(text, n))
            return TOLL_SNIFF_SURE;
        if (n > 1) {
            lines++;
            of_game += is_of_game(text, n);
        }
        text += n + 1;
    }
    return of_game >= 4 && of_game * 2 > lines ? TOLL_SNIFF_LIKELY : TOLL_SNIFF_NO;
}

/* --- lines -------------------------------------------------------------------------------------*/

typedef struct reader {
    toll_failure failure;
    toll_input *in;
    const toll_format_options *options;
    toll_supcom_tree tree;
    toll_profile *profile;
    uint64_t line; /* lines begun so far */
    uint64_t stacks, others, refused, torn, rounded;
    uint64_t faults[SUPCOM_FAULTS]; /* the refused lines, by reason */
} reader;

static bool add_note(reader *r, const char *text, uint64_t count)
{
    return toll_ok(&r->failure, toll_profile_add_note(r->profile, text, count, r->failure.err));
}

/* Handle a line that cannot be read: quote it, or fail. An incomplete last line is not an error:
 * the game crashed. */
static bool refuse(reader *r, toll_supcom_fault fault, const char *text, size_t size, bool whole)
{
    size_t n = size < QUOTED_SIZE ? size : QUOTED_SIZE;
    const char *name = toll_input_name(r->in), *why = toll_supcom_fault_text(fault);
    if (!whole) {
        r->torn++;
        return true;
    }
    n = toll_text_check(text, n); /* no cut character in a message */
    if (r->options->strict)
        return toll_ok(&r->failure,
                       toll_fail_line(r->in, r->line, r->failure.err, TOLL_E_SYNTAX,
                                      "no stack, since %s: '%.*s%s'; without --strict it is left "
                                      "out",
                                      why, (int)n, text, n < size ? "..." : ""));
    r->faults[fault]++;
    if (r->refused++ < MOST_QUOTED)
        toll_format_warn(r->options, "%s:%" PRIu64 ": no stack, left out, since %s: '%.*s%s'", name,
                         r->line, why, (int)n, text, n < size ? "..." : "");
    return true;
}

/* Is the line really several, separated by a carriage return alone, one of them the profiler's? */
static bool is_merged(const char *text, size_t size)
{
    const char *end = text + trimmed(text, size), *at = text;
    bool ours = is_ours(text, size);
    while ((at = memchr(at, '\r', (size_t)(end - at)))) {
        at++;
        if (ours || is_ours(at, (size_t)(end - at)))
            return true;
    }
    return false;
}

/* text[size] is the line without its prefix. */
static toll_supcom_fault read_stack(reader *r, const char *text, size_t size)
{
    toll_supcom_values values;
    size_t at;
    uint32_t node;
    size = trimmed(text, size);
    for (at = size; at > 0 && text[at - 1] != ';';)
        at--;
    toll_supcom_fault fault =
        at ? toll_supcom_values_of(text + at, size - at, &values) : SUPCOM_NO_VALUES;
    if (fault)
        return fault;
    if (at < 2)
        return SUPCOM_NO_STACK;
    if (!toll_supcom_tree_enter(&r->tree, text, at - 1, &node))
        return SUPCOM_BAD_FRAME;
    if (!toll_supcom_add_values(&r->tree.nodes[node], &values))
        toll_ok(&r->failure, toll_fail_line(r->in, r->line, r->failure.err, TOLL_E_OVERFLOW,
                                            "the sum of this stack's lines does not fit 64 bits"));
    r->stacks++;
    r->rounded += values.rounded;
    return SUPCOM_FINE;
}

/* The same for a note. */
static toll_supcom_fault read_note(reader *r, const char *text, size_t size)
{
    uint64_t count;
    size_t at;
    toll_buffer note;
    size = trimmed(text, size);
    if (!toll_supcom_note_of(text, size, &count, &at) || size - at > LONGEST_NOTE)
        return SUPCOM_BAD_NOTE;
    toll_buffer_init(&note, &r->tree.mem);
    const char *clean =
        toll_text_append_clean(&note, text + at, size - at) ? toll_buffer_cstr(&note) : NULL;
    if (clean)
        add_note(r, clean, count);
    else
        toll_no_memory(&r->failure);
    toll_buffer_free(&note);
    return SUPCOM_FINE;
}

static bool read_line(reader *r, const char *text, size_t size, bool whole)
{
    size_t stack = prefix_of(text, size, SUPCOM_PREFIX), note = prefix_of(text, size, SUPCOM_NOTE);
    toll_supcom_fault fault = SUPCOM_FINE;
    if (is_merged(text, size))
        fault = SUPCOM_JOINED_LINES;
    else if (stack)
        fault = read_stack(r, text + stack, size - stack);
    else if (note)
        fault = read_note(r, text + note, size - note);
    else
        r->others++;
    if (r->failure.status)
        return false;
    return !fault || refuse(r, fault, text, size, whole);
}

static bool read_lines(reader *r)
{
    const char *text;
    size_t size;
    bool whole, good = true;
    while (good && toll_input_line(r->in, &text, &size, &whole)) {
        r->line++;
        good = read_line(r, text, size, whole);
    }
    return good && toll_ok(&r->failure, toll_input_check(r->in, r->failure.err));
}

/* --- the profile -------------------------------------------------------------------------------*/

static bool add_notes(reader *r)
{
    return add_note(r, "other lines of the log", r->others) &&
           add_note(r, "lines of the profiler that are no stack, left out", r->refused) &&
           add_note(r, "torn last lines, left out", r->torn) &&
           add_note(r, "times rounded to nanoseconds", r->rounded);
}

static void warn_left_out(const reader *r)
{
    const char *name = toll_input_name(r->in);
    for (int i = 1; i < SUPCOM_FAULTS && r->refused > MOST_QUOTED; i++)
        if (r->faults[i])
            toll_format_warn(r->options, "%s: left out in all, since %s: %" PRIu64, name,
                             toll_supcom_fault_text((toll_supcom_fault)i), r->faults[i]);
    if (r->torn)
        toll_format_warn(r->options, "%s:%" PRIu64 ": the last line is torn, left out", name,
                         r->line);
}

/* A log without a stack is an error: the user named the wrong file, or the profiler did not run. */
static bool check_stacks(reader *r)
{
    toll_failure *f = &r->failure;
    if (r->stacks)
        return true;
    if (r->refused || r->torn)
        return toll_ok(f,
                       toll_fail(f->err, TOLL_E_SYNTAX,
                                 "%s: none of the lines beginning '" SUPCOM_LOG_PREFIX SUPCOM_PREFIX
                                 "' or '" SUPCOM_PREFIX "' is a stack; was the log changed?",
                                 toll_input_name(r->in)));
    return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                "%s: no line begins with '" SUPCOM_LOG_PREFIX SUPCOM_PREFIX
                                "' or '" SUPCOM_PREFIX
                                "'; was the profiler installed, started and stopped?",
                                toll_input_name(r->in)));
}

toll_status toll_supcom_read(toll_read_job *job, toll_error *err)
{
    toll_supcom_options own;
    toll_status status = toll_options_copy(&own, sizeof own, job->own, "toll_supcom_options", err);
    if (status)
        return status;
    reader r = { .failure.err = err, .in = job->in, .options = job->options };
    bool call_lines = !own.fold_call_lines;
    const toll_mem *mem = toll_input_mem(job->in);
    if (toll_supcom_tree_init(&r.tree, mem, call_lines, &r.failure) &&
        toll_ok(&r.failure, toll_profile_create(mem, &r.profile, err)) && read_lines(&r) &&
        check_stacks(&r)) {
        warn_left_out(&r);
        if (toll_supcom_build(&r.tree, r.profile) && add_notes(&r))
            job->profile = r.profile;
    }
    if (!job->profile)
        toll_profile_free(r.profile);
    toll_supcom_tree_free(&r.tree);
    return r.failure.status;
}
