/* solana_log.c - reads the lines of a log, from RPC answers in JSON (solana_json.c) or from plain
 * text.
 *
 * Text contains the lines as they are printed, among others; see solana_line.c. A line `Signature:
 * TEXT` begins a transaction, and so does a line `Compute Units Consumed: N` that is not the first
 * after it. */
#include "solana/solana.h"
#include "solana/solana_json.h"

#include <string.h>

/* JSON begins with '{', or with '[' and a value. `[2026-01-01 ... DEBUG ...]` begins a line of
 * text. */
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

/* --- text --------------------------------------------------------------------------------------*/

/* The current transaction of a text. */
typedef struct text_log {
    const toll_solana_log *log;
    toll_solana_message *message;
    int64_t sum; /* what it was charged, or SOLANA_UNLOGGED */
    bool is_named, has_begun;
} text_log;

/* Does the line begin a new unit: a transaction; or an instruction, if the transaction has no sum
 * and no signature? */
static bool is_boundary(const text_log *l, const toll_solana_line *line)
{
    return line->kind == SOLANA_SIGNATURE ||
           (line->kind == SOLANA_SUM && (l->sum != SOLANA_UNLOGGED || l->has_begun)) ||
           (line->kind == SOLANA_INVOKE && line->number == 1 && l->sum == SOLANA_UNLOGGED &&
            !l->is_named);
}

static bool end_transaction(text_log *l)
{
    const toll_solana_transaction t = { l->sum, SOLANA_UNLOGGED, l->message };
    bool good = l->log->end(l->log->user, &t);
    toll_solana_message_clear(l->message);
    l->is_named = l->has_begun = false;
    return good;
}

static bool read_line(text_log *l, const toll_solana_line *line)
{
    if (is_boundary(l, line)) {
        if (!end_transaction(l))
            return false;
        if (line->kind != SOLANA_INVOKE)
            l->sum = SOLANA_UNLOGGED;
    }
    l->has_begun |= line->kind == SOLANA_INVOKE;
    if (line->kind == SOLANA_SUM) {
        l->sum = line->number;
        return true;
    }
    if (line->kind != SOLANA_SIGNATURE)
        return l->log->line(l->log->user, line);
    l->is_named = true;
    return toll_solana_message_text(l->message, line->text, line->text_size, &l->message->name) ||
           toll_no_memory(l->log->failure);
}

static bool read_text(toll_input *in, const toll_solana_log *log, toll_solana_message *message)
{
    const char *text;
    size_t size;
    bool whole, good = true;
    text_log l = { .log = log, .message = message, .sum = SOLANA_UNLOGGED };
    for (uint64_t number = 1; good && toll_input_line(in, &text, &size, &whole); number++) {
        toll_solana_line line;
        toll_solana_parse(text, size, &line);
        line.place = number;
        good = read_line(&l, &line);
    }
    return good && toll_ok(log->failure, toll_input_check(in, log->failure->err)) &&
           end_transaction(&l);
}

bool toll_solana_read_log(toll_input *in, const toll_solana_log *log)
{
    toll_solana_message message;
    toll_solana_message_init(&message, toll_input_mem(in));
    bool good =
        is_json(in) ? toll_solana_read_json(in, log, &message) : read_text(in, log, &message);
    toll_solana_message_free(&message);
    return good;
}
