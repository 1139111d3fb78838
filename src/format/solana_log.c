/* solana_log.c - the lines of a log: out of RPC answers in JSON, or out of plain text.
 *
 * JSON: every array of strings under a key `logMessages` or `logs` is the log of one transaction,
 * wherever it stands; so is a bare array of strings. Several documents may follow one another.
 * Text: lines as they are printed, among others; see solana_line.c. */
#include "base/json_read.h"
#include "format/solana.h"

#include <string.h>

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
    const toll_solana_log *log;
    toll_error *err;
    uint64_t logs;
} json_log;

static toll_status take_text(const toll_solana_log *log, uint64_t number, const char *text,
                             size_t size, toll_error *err)
{
    toll_solana_line line;
    toll_solana_parse(text, size, &line);
    line.place = number;
    return log->line(log->user, &line, err);
}

static toll_status take_string(json_log *l)
{
    return take_text(l->log, l->j.line, toll_json_text(&l->j), l->j.text.size, l->err);
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
    return status ? status : l->log->end(l->log->user, l->err);
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
    return status ? status : l->log->end(l->log->user, l->err);
}

static toll_status read_json(toll_input *in, const toll_solana_log *log, toll_error *err)
{
    json_log l = { .log = log, .err = err };
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

static toll_status read_text(toll_input *in, const toll_solana_log *log, toll_error *err)
{
    const char *text;
    size_t size;
    bool whole;
    uint64_t number = 0;
    while (toll_input_line(in, &text, &size, &whole)) {
        toll_status status = take_text(log, ++number, text, size, err);
        if (status)
            return status;
    }
    return toll_input_check(in, err);
}

toll_status toll_solana_read_log(toll_input *in, const toll_solana_log *log, toll_error *err)
{
    return is_json(in) ? read_json(in, log, err) : read_text(in, log, err);
}
