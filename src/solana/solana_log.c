/* solana_log.c - the lines of a log: out of RPC answers in JSON, or out of plain text.
 *
 * JSON: every array of strings under a key `logMessages` or `logs` is the log of one transaction,
 * wherever it stands; so is a bare array of strings. A number `computeUnitsConsumed` or
 * `unitsConsumed` in the same object, before it or behind it, is what the transaction was charged.
 * Several documents may follow one another.
 * Text: lines as they are printed, among others; see solana_line.c. A line `Compute Units Consumed:
 * N` begins a transaction. */
#include "base/json_read.h"
#include "solana/solana.h"

#include <stdio.h>
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

enum { REFUSAL_SIZE = 160 };

/* --- JSON --------------------------------------------------------------------------------------*/

typedef struct json_log {
    toll_json j;
    const toll_solana_log *log;
    uint64_t logs;
    unsigned open; /* the depth of the object whose log has been read and not ended; 0: none */
    int64_t sums[TOLL_JSON_DEPTH + 1]; /* of the object of each depth, or SOLANA_UNTOLD */
    uint64_t refused;                  /* answers that are errors, */
    char refusal[REFUSAL_SIZE];        /* and what the first one says */
} json_log;

static bool take_string(json_log *l)
{
    toll_solana_line line;
    toll_solana_parse(toll_json_text(&l->j), l->j.text.size, &line);
    line.place = l->j.line;
    return l->log->line(l->log->user, &line);
}

/* The end of the transaction whose log has been read, if there is one. */
static bool end_transaction(json_log *l)
{
    unsigned depth = l->open;
    l->open = 0;
    return depth == 0 || l->log->end(l->log->user, l->sums[depth]);
}

/* The elements of an array that has begun, up to its end. */
static bool read_array(json_log *l)
{
    toll_json_token t;
    if (!end_transaction(l))
        return false;
    while ((t = toll_json_next(&l->j)) != TOLL_JSON_ARRAY_END)
        if (!(t == TOLL_JSON_STRING ? take_string(l) : toll_json_skip(&l->j, t)))
            return false;
    l->logs++;
    l->open = l->j.depth;
    return true;
}

static bool is_log_key(const char *key)
{
    return strcmp(key, "logMessages") == 0 || strcmp(key, "logs") == 0;
}

static bool is_sum_key(const char *key)
{
    return strcmp(key, "computeUnitsConsumed") == 0 || strcmp(key, "unitsConsumed") == 0;
}

/* A value that may be a sum: as a number, or as a string of digits. */
static void take_sum(json_log *l, toll_json_token t)
{
    const char *text = toll_json_text(&l->j), *end = text + l->j.text.size;
    int64_t sum;
    if ((t == TOLL_JSON_NUMBER || t == TOLL_JSON_STRING) && toll_solana_number(&text, end, &sum) &&
        text == end)
        l->sums[l->j.depth] = sum;
}

/* Keep what the first answer that is an error says. */
static void keep_refusal(json_log *l, const char *text)
{
    if (l->refused++ == 0)
        snprintf(l->refusal, sizeof l->refusal, "%s", text);
}

/* The error of an answer, an object that has begun, up to its end. */
static bool read_error(json_log *l)
{
    char text[REFUSAL_SIZE];
    toll_json_token t;
    bool has_message = false;
    while ((t = toll_json_next(&l->j)) == TOLL_JSON_KEY) {
        bool is_message = strcmp(toll_json_text(&l->j), "message") == 0;
        t = toll_json_next(&l->j);
        if (is_message && t == TOLL_JSON_STRING && !has_message) {
            snprintf(text, sizeof text, "the answer is an error of the node's, no transaction: %s",
                     toll_json_text(&l->j));
            keep_refusal(l, text);
            has_message = true;
        } else if (!toll_json_skip(&l->j, t)) {
            return false;
        }
    }
    if (!has_message)
        keep_refusal(l, "the answer is an error of the node's, no transaction");
    return t == TOLL_JSON_OBJECT_END;
}

/* The outermost keys of an answer without a log. *t is the last token that was read. */
static bool read_answer(json_log *l, toll_json_token *t)
{
    bool is_error = strcmp(toll_json_text(&l->j), "error") == 0;
    if (l->j.depth != 1 || (!is_error && strcmp(toll_json_text(&l->j), "result") != 0))
        return true;
    *t = toll_json_next(&l->j);
    if (is_error && *t == TOLL_JSON_OBJECT) {
        *t = TOLL_JSON_OBJECT_END;
        return read_error(l);
    }
    if (!is_error && *t == TOLL_JSON_NULL)
        keep_refusal(l, "the answer holds no transaction (\"result\" is null): the node does not "
                        "know it, or not yet; ask again");
    return true;
}

/* What stands behind a key. */
static bool read_member(json_log *l, toll_json_token *t)
{
    bool is_log = is_log_key(toll_json_text(&l->j)), is_sum = is_sum_key(toll_json_text(&l->j));
    if (!is_log && !is_sum)
        return read_answer(l, t);
    *t = toll_json_next(&l->j);
    if (is_sum)
        take_sum(l, *t);
    return !is_log || *t != TOLL_JSON_ARRAY || read_array(l);
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
static bool read_document(json_log *l)
{
    bool good = true, bare = false;
    do {
        toll_json_token t = toll_json_next(&l->j);
        if (t == TOLL_JSON_KEY) {
            good = read_member(l, &t);
        } else if (t == TOLL_JSON_STRING && l->j.depth == 1 && l->j.nesting[0] == '[') {
            bare = true;
            good = take_string(l);
        }
        if (t == TOLL_JSON_ERROR)
            return false;
        if (t == TOLL_JSON_OBJECT)
            l->sums[l->j.depth] = SOLANA_UNTOLD;
        if (good && t == TOLL_JSON_OBJECT_END && l->j.depth < l->open)
            good = end_transaction(l);
    } while (good && l->j.depth);
    l->logs += bare;
    return good && (!bare || l->log->end(l->log->user, SOLANA_UNTOLD));
}

static bool read_documents(json_log *l)
{
    while (another_follows(l)) {
        l->j.expect_value = true;
        if (!read_document(l))
            return false;
    }
    return true;
}

static bool read_json(toll_input *in, const toll_solana_log *log)
{
    json_log l = { .log = log };
    toll_failure *f = log->failure;
    toll_json_begin(&l.j, in, f);
    l.j.replaces_nul = true; /* programs log text that is padded with NUL */
    bool good = read_documents(&l);
    toll_json_free(&l.j);
    if (!good || !toll_ok(f, toll_input_check(in, f->err)))
        return false;
    if (log->refused)
        *log->refused = l.refused;
    if (l.logs == 0 && l.refused)
        return toll_ok(f,
                       toll_fail(f->err, TOLL_E_SYNTAX, "%s: %s", toll_input_name(in), l.refusal));
    return l.logs > 0 ||
           (toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                 "%s: no array logMessages or logs is in it; is this the answer to "
                                 "getTransaction or simulateTransaction?",
                                 toll_input_name(in))));
}

/* --- text --------------------------------------------------------------------------------------*/

/* Does the line begin something of its own? A transaction, or without its sum an instruction. */
static bool is_boundary(const toll_solana_line *line, int64_t sum)
{
    return line->kind == SOLANA_SUM ||
           (line->kind == SOLANA_INVOKE && line->number == 1 && sum == SOLANA_UNTOLD);
}

static bool read_text(toll_input *in, const toll_solana_log *log)
{
    const char *text;
    size_t size;
    bool whole, good = true;
    int64_t sum = SOLANA_UNTOLD;
    for (uint64_t number = 1; good && toll_input_line(in, &text, &size, &whole); number++) {
        toll_solana_line line;
        toll_solana_parse(text, size, &line);
        line.place = number;
        if (is_boundary(&line, sum))
            good = log->end(log->user, sum);
        if (line.kind == SOLANA_SUM)
            sum = line.number;
        else
            good = good && log->line(log->user, &line);
    }
    return good && toll_ok(log->failure, toll_input_check(in, log->failure->err)) &&
           log->end(log->user, sum);
}

bool toll_solana_read_log(toll_input *in, const toll_solana_log *log)
{
    return is_json(in) ? read_json(in, log) : read_text(in, log);
}
