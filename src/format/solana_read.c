/* solana_read.c - logs of Solana programs: RPC answers in JSON, or plain text.
 *
 * JSON: every array of strings under a key `logMessages` or `logs` is the log of one transaction,
 * wherever it stands; so is a bare array of strings. Several documents may follow one another.
 * Text: lines as they are printed, among others; see solana_line.c. */
#include "base/json_read.h"
#include "format/sniff.h"
#include "format/solana.h"

#include <string.h>

/* --- telling -----------------------------------------------------------------------------------*/

static bool is_invocation(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *end = memchr(text, '\n', size), *bracket = memchr(text, ']', size);
    toll_solana_line line;
    size_t n = end ? (size_t)(end - text) : size;
    if (bracket && (size_t)(bracket - text) < n)
        n = (size_t)(bracket - text) + 1;
    toll_solana_parse(text, n, &line);
    return line.kind == SOLANA_INVOKE;
}

toll_sniff toll_solana_sniff(const uint8_t *data, size_t size)
{
    static const char word[] = "Program ";
    const size_t n = sizeof word - 1;
    const uint8_t *end = data + size;
    for (const uint8_t *p = data; (size_t)(end - p) >= n; p++) {
        p = memchr(p, 'P', (size_t)(end - p));
        if (!p || (size_t)(end - p) < n)
            break;
        if (memcmp(p, word, n) == 0 &&
            is_invocation(p, (size_t)(end - p) < 80 ? (size_t)(end - p) : 80))
            return TOLL_SNIFF_SURE;
    }
    return toll_sniff_json(data, size, "\"logMessages\"", "\"computeUnitsConsumed\"");
}

/* '{', or '[' with a value behind it: `[2026-01-01 ... DEBUG ...]` begins a line of text. */
static bool is_json(toll_input *in)
{
    size_t size, i = 0;
    const uint8_t *p = toll_input_peek(in, 4096, &size);
    bool array = false;
    for (; i < size; i++) {
        if (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t')
            continue;
        if (array)
            return p[i] == '{' || p[i] == '[' || p[i] == '"' || p[i] == ']';
        if (p[i] != '[')
            return p[i] == '{';
        array = true;
    }
    return false;
}

/* --- JSON --------------------------------------------------------------------------------------*/

typedef struct json_log {
    toll_json j;
    toll_solana_run *run;
    toll_error *err;
    uint64_t logs;
} json_log;

static toll_status take_string(json_log *l)
{
    return toll_solana_run_line(l->run, toll_json_text(&l->j), l->j.text.size, l->err);
}

/* The elements of an array that has begun, up to its end. */
static toll_status read_array(json_log *l)
{
    toll_json_token t;
    toll_status status = TOLL_OK;
    while (!status && (t = toll_json_next(&l->j)) != TOLL_JSON_ARRAY_END) {
        if (t == TOLL_JSON_STRING)
            status = take_string(l);
        else if (!toll_json_skip(&l->j, t))
            return l->j.status;
    }
    l->logs++;
    return status ? status : toll_solana_run_end(l->run, l->err);
}

static bool is_log_key(const char *key)
{
    return strcmp(key, "logMessages") == 0 || strcmp(key, "logs") == 0;
}

/* White space between documents; true if another one follows. */
static bool another_follows(json_log *l)
{
    size_t got;
    const uint8_t *p;
    while ((p = toll_input_peek(l->j.in, 1, &got)), got > 0) {
        if (*p != ' ' && *p != '\n' && *p != '\r' && *p != '\t')
            return true;
        bool line_end = *p == '\n';
        toll_input_skip(l->j.in, 1);
        l->j.line += line_end;
        if (line_end)
            l->j.line_start = toll_input_offset(l->j.in);
    }
    return false;
}

/* One document; a string right inside the outermost array is a line of a bare log. */
static toll_status read_document(json_log *l)
{
    toll_status status = TOLL_OK;
    bool bare = false;
    do {
        toll_json_token t = toll_json_next(&l->j);
        if (t == TOLL_JSON_ERROR)
            return l->j.status;
        if (t == TOLL_JSON_KEY && is_log_key(toll_json_text(&l->j))) {
            t = toll_json_next(&l->j);
            status = t == TOLL_JSON_ARRAY ? read_array(l) : TOLL_OK;
        } else if (t == TOLL_JSON_STRING && l->j.depth == 1 && l->j.nesting[0] == '[') {
            bare = true;
            status = take_string(l);
        }
    } while (!status && l->j.depth);
    l->logs += bare;
    return status ? status : toll_solana_run_end(l->run, l->err);
}

static toll_status read_json(toll_input *in, toll_solana_run *run, toll_error *err)
{
    json_log l = { .run = run, .err = err };
    toll_status status = TOLL_OK;
    toll_json_begin(&l.j, in, err);
    while (!status && another_follows(&l)) {
        l.j.expect_value = true;
        status = read_document(&l);
    }
    toll_json_free(&l.j);
    if (!status)
        status = toll_input_check(in, err);
    if (!status && l.logs == 0)
        status = toll_fail(err, TOLL_E_SYNTAX,
                           "%s: no array logMessages or logs is in it; is this the answer to "
                           "getTransaction or simulateTransaction?",
                           toll_input_name(in));
    return status;
}

/* --- text --------------------------------------------------------------------------------------*/

static toll_status read_text(toll_input *in, toll_solana_run *run, toll_error *err)
{
    const char *text;
    size_t size;
    bool whole;
    while (toll_input_line(in, &text, &size, &whole)) {
        toll_status status = toll_solana_run_line(run, text, size, err);
        if (status)
            return status;
    }
    return toll_input_check(in, err);
}

static toll_status read_log(toll_read_job *job, const toll_solana_names *names, toll_error *err)
{
    toll_solana_run *run;
    toll_status status = toll_solana_run_create(toll_input_mem(job->in), names, &run, err);
    if (status)
        return status;
    status = is_json(job->in) ? read_json(job->in, run, err) : read_text(job->in, run, err);
    if (!status)
        status = toll_solana_run_take(run, &job->profile, err);
    if (!status && !job->profile)
        status = toll_fail(err, TOLL_E_SYNTAX,
                           "%s: no line is a 'Program ID invoke [1]'; is this a log of Solana "
                           "programs?",
                           toll_input_name(job->in));
    toll_solana_run_free(run);
    return status;
}

toll_status toll_solana_read(toll_read_job *job, toll_error *err)
{
    toll_solana_names names;
    toll_status status = TOLL_OK;
    toll_solana_names_init(&names, toll_input_mem(job->in));
    if (job->options->names)
        status = toll_solana_names_read(&names, job->options->names, err);
    if (!status)
        status = read_log(job, &names, err);
    toll_solana_names_free(&names);
    return status;
}
