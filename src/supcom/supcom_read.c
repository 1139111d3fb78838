/* supcom_read.c - the format "supcom": a game's log that contains lines of
 * hosts/supcom/profiler.lua, or of another profiler that writes the same. See supcom.h.
 *
 * Only lines that begin exactly with the prefix count. Those that are not a stack are skipped and
 * counted, and the first of them are quoted; with options->strict the first one is an error. */
#include "base/fail.h"
#include "base/text.h"
#include "supcom/supcom.h"

#include <inttypes.h>
#include <string.h>

enum { PREFIX_SIZE = sizeof SUPCOM_PREFIX - 1, MOST_QUOTED = 3, QUOTED_SIZE = 100 };

/* --- telling -----------------------------------------------------------------------------------*/

static bool begins_with(const char *text, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(text, word, n) == 0;
}

/* Is this a line of the game? Indented ones continue the line before. */
static bool is_of_game(const char *text, size_t size)
{
    return begins_with(text, size, "info: ") || begins_with(text, size, "warning: ") ||
           begins_with(text, size, "debug: ") || begins_with(text, size, "         ");
}

/* The profile may begin late in a log: then it is a hint that most lines begin as the game's do. */
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
    toll_input *in;
    const toll_format_options *options;
    toll_supcom_tree tree;
    uint64_t line; /* lines begun so far */
    uint64_t stacks, others, refused, torn, rounded;
} reader;

/* The line is not a stack: quote it, or fail. A torn last line is not an error: the game crashed.
 */
static toll_status refuse(reader *r, const char *text, size_t size, bool whole, toll_error *err)
{
    size_t n = size < QUOTED_SIZE ? size : QUOTED_SIZE;
    const char *name = toll_input_name(r->in);
    if (!whole) {
        r->torn++;
        return TOLL_OK;
    }
    n = toll_text_check(text, n); /* no half of a character in a message */
    if (r->options->strict)
        return toll_fail_line(r->in, r->line, err, TOLL_E_SYNTAX,
                              "no stack: '%.*s%s'; without --strict it is left out", (int)n, text,
                              n < size ? "..." : "");
    if (r->refused++ < MOST_QUOTED)
        toll_format_warn(r->options, "%s:%" PRIu64 ": no stack, left out: '%.*s%s'", name, r->line,
                         (int)n, text, n < size ? "..." : "");
    return TOLL_OK;
}

/* The size without the blanks and carriage returns at the end. */
static size_t trimmed(const char *text, size_t size)
{
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t' || text[size - 1] == '\r'))
        size--;
    return size;
}

/* Two or more lines that are separated by a carriage return alone, one of them the profiler's. */
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

static toll_status take_stack(reader *r, const char *text, size_t size, bool whole, toll_error *err)
{
    toll_supcom_values values;
    const char *line = text;
    size_t line_size = size, at;
    text += PREFIX_SIZE;
    size = trimmed(text, size - PREFIX_SIZE);
    for (at = size; at > 0 && text[at - 1] != ';';)
        at--;
    if (at < 2 || !toll_supcom_values_of(text + at, size - at, &values))
        return refuse(r, line, line_size, whole, err);
    toll_status status = toll_supcom_tree_add(&r->tree, text, at - 1, &values, err);
    if (status == TOLL_E_SYNTAX)
        return refuse(r, line, line_size, whole, err);
    if (status == TOLL_E_OVERFLOW)
        return toll_fail_line(r->in, r->line, err, status,
                              "the sum of this stack's lines does not fit 64 bits");
    r->stacks += !status;
    r->rounded += !status && values.rounded;
    return status;
}

static toll_status read_lines(reader *r, toll_error *err)
{
    const char *text;
    size_t size;
    bool whole;
    toll_status status = TOLL_OK;
    while (!status && toll_input_line(r->in, &text, &size, &whole)) {
        r->line++;
        if (is_merged(text, size))
            status = refuse(r, text, size, whole, err);
        else if (begins_with(text, size, SUPCOM_PREFIX))
            status = take_stack(r, text, size, whole, err);
        else
            r->others++;
    }
    return status ? status : toll_input_check(r->in, err);
}

/* --- the profile -------------------------------------------------------------------------------*/

static toll_status add_notes(const reader *r, toll_profile *p, toll_error *err)
{
    toll_status status = toll_profile_add_note(p, "other lines of the log", r->others, err);
    if (!status)
        status = toll_profile_add_note(p, "lines of the profiler that are no stack, left out",
                                       r->refused, err);
    if (!status)
        status = toll_profile_add_note(p, "torn last lines, left out", r->torn, err);
    if (!status)
        status = toll_profile_add_note(p, "times rounded to nanoseconds", r->rounded, err);
    return status;
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
static toll_status check_stacks(const reader *r, toll_error *err)
{
    if (r->stacks)
        return TOLL_OK;
    if (r->refused || r->torn)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: none of the lines beginning '" SUPCOM_PREFIX "' is a stack; was the "
                         "log changed?",
                         toll_input_name(r->in));
    return toll_fail(err, TOLL_E_SYNTAX,
                     "%s: no line begins with '" SUPCOM_PREFIX "'; was the profiler installed, "
                     "started and stopped?",
                     toll_input_name(r->in));
}

static toll_status make_profile(toll_read_job *job, reader *r, toll_error *err)
{
    toll_profile *p;
    toll_status status = toll_profile_create(toll_input_mem(job->in), &p, err);
    if (status)
        return status;
    warn_left_out(r);
    status = toll_supcom_build(&r->tree, p, err);
    if (!status)
        status = add_notes(r, p, err);
    if (status)
        toll_profile_free(p);
    else
        job->profile = p;
    return status;
}

toll_status toll_supcom_read(toll_read_job *job, toll_error *err)
{
    reader r = { .in = job->in, .options = job->options };
    toll_status status = toll_supcom_tree_init(&r.tree, toll_input_mem(job->in),
                                               !job->options->fold_call_lines, err);
    if (!status)
        status = read_lines(&r, err);
    if (!status)
        status = check_stacks(&r, err);
    if (!status)
        status = make_profile(job, &r, err);
    toll_supcom_tree_free(&r.tree);
    return status;
}
