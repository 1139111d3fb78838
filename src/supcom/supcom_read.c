/* supcom_read.c - reads the format "supcom": a game's log with lines of hosts/supcom/profiler.lua,
 * or of another profiler that writes the same. See supcom.h.
 *
 * Only lines that begin exactly with the prefix count. Lines that are not a stack are skipped and
 * counted, and the first of them are quoted; with options->strict the first one is an error. */
#include "base/sized_options.h"
#include "base/text.h"
#include "supcom/supcom.h"

#include <inttypes.h>
#include <string.h>
#include <toll/supcom.h>

enum { PREFIX_SIZE = sizeof SUPCOM_PREFIX - 1, MOST_QUOTED = 3, QUOTED_SIZE = 100 };

/* --- recognising -------------------------------------------------------------------------------*/

static bool begins_with(const char *text, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(text, word, n) == 0;
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
        if (begins_with(text, n, SUPCOM_PREFIX))
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
    uint64_t line; /* lines begun so far */
    uint64_t stacks, others, refused, torn, rounded;
} reader;

/* Handle a line that is not a stack: quote it, or fail. An incomplete last line is not an error:
 * the game crashed. */
static bool refuse(reader *r, const char *text, size_t size, bool whole)
{
    size_t n = size < QUOTED_SIZE ? size : QUOTED_SIZE;
    const char *name = toll_input_name(r->in);
    if (!whole) {
        r->torn++;
        return true;
    }
    n = toll_text_check(text, n); /* no cut character in a message */
    if (r->options->strict)
        return toll_ok(&r->failure,
                       toll_fail_line(r->in, r->line, r->failure.err, TOLL_E_SYNTAX,
                                      "no stack: '%.*s%s'; without --strict it is left out", (int)n,
                                      text, n < size ? "..." : ""));
    if (r->refused++ < MOST_QUOTED)
        toll_format_warn(r->options, "%s:%" PRIu64 ": no stack, left out: '%.*s%s'", name, r->line,
                         (int)n, text, n < size ? "..." : "");
    return true;
}

/* The size without the blanks and carriage returns at the end. */
static size_t trimmed(const char *text, size_t size)
{
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t' || text[size - 1] == '\r'))
        size--;
    return size;
}

/* Is the line really several, separated by a carriage return alone, one of them the profiler's? */
static bool is_merged(const char *text, size_t size)
{
    const char *end = text + trimmed(text, size), *at = text;
    bool is_ours = begins_with(text, size, SUPCOM_PREFIX);
    while ((at = memchr(at, '\r', (size_t)(end - at)))) {
        at++;
        if (is_ours || begins_with(at, (size_t)(end - at), SUPCOM_PREFIX))
            return true;
    }
    return false;
}

static bool read_stack(reader *r, const char *line, size_t line_size, bool whole)
{
    toll_supcom_values values;
    const char *text = line + PREFIX_SIZE;
    size_t size = trimmed(text, line_size - PREFIX_SIZE), at;
    uint32_t node;
    for (at = size; at > 0 && text[at - 1] != ';';)
        at--;
    if (at < 2 || !toll_supcom_values_of(text + at, size - at, &values) ||
        !toll_supcom_tree_enter(&r->tree, text, at - 1, &node))
        return !r->failure.status && refuse(r, line, line_size, whole);
    if (!toll_supcom_add_values(&r->tree.nodes[node], &values))
        return toll_ok(&r->failure,
                       toll_fail_line(r->in, r->line, r->failure.err, TOLL_E_OVERFLOW,
                                      "the sum of this stack's lines does not fit 64 bits"));
    r->stacks++;
    r->rounded += values.rounded;
    return true;
}

static bool read_lines(reader *r)
{
    const char *text;
    size_t size;
    bool whole, good = true;
    while (good && toll_input_line(r->in, &text, &size, &whole)) {
        r->line++;
        if (is_merged(text, size))
            good = refuse(r, text, size, whole);
        else if (begins_with(text, size, SUPCOM_PREFIX))
            good = read_stack(r, text, size, whole);
        else
            r->others++;
    }
    return good && toll_ok(&r->failure, toll_input_check(r->in, r->failure.err));
}

/* --- the profile -------------------------------------------------------------------------------*/

static bool add_note(reader *r, toll_profile *p, const char *text, uint64_t count)
{
    return toll_ok(&r->failure, toll_profile_add_note(p, text, count, r->failure.err));
}

static bool add_notes(reader *r, toll_profile *p)
{
    return add_note(r, p, "other lines of the log", r->others) &&
           add_note(r, p, "lines of the profiler that are no stack, left out", r->refused) &&
           add_note(r, p, "torn last lines, left out", r->torn) &&
           add_note(r, p, "times rounded to nanoseconds", r->rounded);
}

static void warn_left_out(const reader *r)
{
    if (r->refused > MOST_QUOTED)
        toll_format_warn(r->options, "%s: %" PRIu64 " lines in all are no stack, left out",
                         toll_input_name(r->in), r->refused);
    if (r->torn)
        toll_format_warn(r->options, "%s:%" PRIu64 ": the last line is torn, left out",
                         toll_input_name(r->in), r->line);
}

/* A log without a stack is an error: the user named the wrong file, or the profiler did not run. */
static bool check_stacks(reader *r)
{
    toll_failure *f = &r->failure;
    if (r->stacks)
        return true;
    if (r->refused || r->torn)
        return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                    "%s: none of the lines beginning '" SUPCOM_PREFIX
                                    "' is a stack; was the log changed?",
                                    toll_input_name(r->in)));
    return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                "%s: no line begins with '" SUPCOM_PREFIX
                                "'; was the profiler installed, started and stopped?",
                                toll_input_name(r->in)));
}

static bool make_profile(toll_read_job *job, reader *r)
{
    toll_profile *p;
    if (!toll_ok(&r->failure, toll_profile_create(toll_input_mem(job->in), &p, r->failure.err)))
        return false;
    warn_left_out(r);
    if (toll_supcom_build(&r->tree, p) && add_notes(r, p))
        job->profile = p;
    else
        toll_profile_free(p);
    return !r->failure.status;
}

toll_status toll_supcom_read(toll_read_job *job, toll_error *err)
{
    toll_supcom_options own;
    toll_status status = toll_options_copy(&own, sizeof own, job->own, "toll_supcom_options", err);
    if (status)
        return status;
    reader r = { .failure.err = err, .in = job->in, .options = job->options };
    bool call_lines = !own.fold_call_lines;
    if (toll_supcom_tree_init(&r.tree, toll_input_mem(job->in), call_lines, &r.failure) &&
        read_lines(&r) && check_stacks(&r))
        make_profile(job, &r);
    toll_supcom_tree_free(&r.tree);
    return r.failure.status;
}
