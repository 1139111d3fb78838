/* solana_json.c - see solana_json.h.
 *
 * Every array of strings under a key `logMessages` or `logs` is the log of one transaction,
 * wherever it is; so is a bare array of strings. A number `computeUnitsConsumed` or `unitsConsumed`
 * in the same object, before or after it, is what the transaction was charged, and `err` says which
 * of its instructions failed. Several documents may follow one another.
 *
 * A transaction's scope is the object that contains its log; or, in the answers of RPC nodes, the
 * object around that, which has `meta` (with the log, and inner instructions) and `transaction`
 * (with the message). When the scope's object ends, the transaction is complete. */
#include "solana/solana_json.h"

#include "solana/solana_answers.h"

/* What an object's members say about the transaction whose log the object contains. */
typedef struct outcome {
    int64_t charged, failed; /* see toll_solana_transaction */
} outcome;

static const outcome unlogged = { SOLANA_UNLOGGED, SOLANA_UNLOGGED };

typedef struct json_log {
    toll_json j;
    const toll_solana_log *log;
    toll_solana_message *message;
    uint64_t lines, invocations, logs;
    bool has_log;       /* the current transaction has a log */
    unsigned log_depth; /* depth of the object around that log; 0: that object has ended, */
    outcome ended;      /* and this is its outcome */
    unsigned scope;     /* depth of the transaction's object; 0: no transaction */
    bool meta_begins;   /* the next token is the value of a key `meta` */
    bool is_meta[TOLL_JSON_DEPTH + 1];
    outcome of[TOLL_JSON_DEPTH + 1]; /* by depth of the object */
    toll_solana_answers answers;
} json_log;

/* --- transactions ------------------------------------------------------------------------------*/

static bool read_string(json_log *l)
{
    toll_solana_line line;
    toll_solana_parse(toll_json_text(&l->j), l->j.text.size, &line);
    line.place = l->j.line;
    l->lines++;
    l->invocations += line.kind == SOLANA_INVOKE;
    return l->log->line(l->log->user, &line);
}

/* End the current transaction, if there is one. */
static bool end_transaction(json_log *l)
{
    const outcome *of_log = l->log_depth ? &l->of[l->log_depth] : &l->ended;
    const toll_solana_transaction t = { of_log->charged, of_log->failed, l->message };
    bool good = !l->has_log || l->log->end(l->log->user, &t);
    toll_solana_message_clear(l->message);
    l->has_log = false;
    l->log_depth = l->scope = 0;
    return good;
}

static bool has_nothing(const json_log *l)
{
    return !l->has_log && l->message->texts.size == 0 && l->message->outer.count == 0 &&
           l->message->inner.count == 0;
}

/* Begin a transaction, unless one has begun: the object at `depth` contains a part of it. */
static void begin_scope(json_log *l, unsigned depth)
{
    if (l->scope == 0 || l->scope > depth || has_nothing(l))
        l->scope = depth;
}

static void begin_object(json_log *l)
{
    l->of[l->j.depth] = unlogged;
    l->is_meta[l->j.depth] = l->meta_begins;
    l->meta_begins = false;
}

static bool end_object(json_log *l)
{
    unsigned depth = l->j.depth + 1;
    if (l->has_log && l->log_depth == depth) {
        l->ended = l->of[depth];
        l->log_depth = 0;
    }
    toll_solana_answers_end(&l->answers, depth, l->logs);
    return l->scope != depth || end_transaction(l);
}

/* --- members -----------------------------------------------------------------------------------*/

/* Read the elements of a log to its end. */
static bool read_log(json_log *l, toll_json_token t)
{
    unsigned depth = l->j.depth;
    if (t != TOLL_JSON_ARRAY)
        return true;
    depth--;
    if (l->has_log && !end_transaction(l))
        return false;
    begin_scope(l, l->is_meta[depth] ? depth - 1 : depth);
    l->has_log = true;
    l->log_depth = depth;
    l->logs++;
    while ((t = toll_json_next(&l->j)) != TOLL_JSON_ARRAY_END)
        if (!(t == TOLL_JSON_STRING ? read_string(l) : toll_json_skip(&l->j, t)))
            return false;
    return true;
}

/* Read a value that may be a charge: a number, or a string of digits. */
static bool read_sum(json_log *l, toll_json_token t)
{
    const char *text = toll_json_text(&l->j), *end = text + l->j.text.size;
    int64_t sum;
    if ((t == TOLL_JSON_NUMBER || t == TOLL_JSON_STRING) && toll_solana_number(&text, end, &sum) &&
        text == end)
        l->of[l->j.depth].charged = sum;
    return true;
}

/* Read null, or an object. Only errors that name an instruction count. */
static bool read_err(json_log *l, toll_json_token t)
{
    if (t == TOLL_JSON_NULL)
        l->of[l->j.depth].failed = SOLANA_NONE_FAILED;
    return t != TOLL_JSON_ARRAY || toll_json_skip(&l->j, t);
}

/* Read [PLACE, REASON] in the value of `err`. */
static bool read_instruction_error(json_log *l, toll_json_token t)
{
    unsigned around = l->j.depth - 2;
    if (t != TOLL_JSON_ARRAY)
        return true;
    for (unsigned i = 0; (t = toll_json_next(&l->j)) != TOLL_JSON_ARRAY_END; i++) {
        const char *text = toll_json_text(&l->j), *end = text + l->j.text.size;
        if (i == 0 && t == TOLL_JSON_NUMBER &&
            toll_solana_number(&text, end, &l->of[around].failed))
            continue;
        if (!toll_json_skip(&l->j, t))
            return false;
    }
    return true;
}

static bool read_meta(json_log *l, toll_json_token t)
{
    l->meta_begins = t == TOLL_JSON_OBJECT;
    if (l->meta_begins)
        begin_scope(l, l->j.depth - 1);
    return true;
}

static bool read_error(json_log *l, toll_json_token t)
{
    if (t == TOLL_JSON_OBJECT)
        toll_solana_answers_begin(&l->answers, l->j.depth, l->logs);
    return true;
}

static bool read_error_text(json_log *l, toll_json_token t)
{
    toll_solana_answers_text(&l->answers, &l->j, t);
    return true;
}

static bool read_result(json_log *l, toll_json_token t)
{
    l->answers.nulls += t == TOLL_JSON_NULL;
    return true;
}

/* Read the members of a transaction that is an object. */
static bool read_transaction(json_log *l, toll_json_token t)
{
    bool is_whole = t == TOLL_JSON_OBJECT || t == TOLL_JSON_ARRAY;
    begin_scope(l, is_whole ? l->j.depth - 1 : l->j.depth);
    return t == TOLL_JSON_OBJECT || toll_solana_read_transaction(&l->j, t, l->message);
}

static bool read_name(json_log *l, toll_json_token t)
{
    if (t != TOLL_JSON_STRING)
        return true;
    begin_scope(l, l->j.depth);
    return toll_solana_read_name(&l->j, t, l->message);
}

static bool read_signature(json_log *l, toll_json_token t)
{
    return l->message->name || read_name(l, t);
}

static const struct member {
    const char *key;
    bool (*read)(json_log *l, toll_json_token t);
    toll_solana_read_member *read_part; /* reads a part of a transaction, inside its scope */
} members[] = {
    { "logMessages", read_log, NULL },
    { "logs", read_log, NULL },
    { "computeUnitsConsumed", read_sum, NULL },
    { "unitsConsumed", read_sum, NULL },
    { "err", read_err, NULL },
    { "InstructionError", read_instruction_error, NULL },
    { "meta", read_meta, NULL },
    { "transaction", read_transaction, NULL },
    { "accountKeys", NULL, toll_solana_read_keys },
    { "instructions", NULL, toll_solana_read_outer },
    { "innerInstructions", NULL, toll_solana_read_inner },
    { "loadedAddresses", NULL, toll_solana_read_loaded },
    { "signatures", NULL, toll_solana_read_signatures },
    { "signature", read_signature, NULL },
    { "test", read_name, NULL },
    { "error", read_error, NULL },
    { "code", read_error_text, NULL },
    { "message", read_error_text, NULL },
    { "result", read_result, NULL },
};

/* Read the value of a key that has a meaning, at least its first token. */
static bool read_member(json_log *l, toll_json_token *t)
{
    const struct member *m = members, *end = members + sizeof members / sizeof *members;
    while (m < end && !toll_json_is(&l->j, m->key))
        m++;
    if (m == end || (m->read_part && !l->scope))
        return true;
    *t = toll_json_next(&l->j);
    if (*t == TOLL_JSON_ERROR)
        return false;
    toll_json_token first = *t;
    if (m->read_part || first == TOLL_JSON_ARRAY)
        *t = TOLL_JSON_NULL; /* it was read to its end */
    return m->read_part ? m->read_part(&l->j, first, l->message) : m->read(l, first);
}

/* --- documents ---------------------------------------------------------------------------------*/

/* Skip white space between documents. True: another document follows. */
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

/* End a bare log. */
static bool end_bare(json_log *l)
{
    l->has_log = true;
    l->ended = unlogged;
    return end_transaction(l);
}

/* Read one document. A string directly in the outermost array is a line of a bare log. */
static bool read_document(json_log *l)
{
    bool good = true, bare = false;
    do {
        toll_json_token t = toll_json_next(&l->j);
        if (t == TOLL_JSON_KEY) {
            good = read_member(l, &t);
        } else if (t == TOLL_JSON_STRING && l->j.depth == 1 && l->j.nesting[0] == '[') {
            bare = true;
            good = read_string(l);
        }
        if (t == TOLL_JSON_ERROR)
            return false;
        if (t == TOLL_JSON_OBJECT)
            begin_object(l);
        if (good && t == TOLL_JSON_OBJECT_END)
            good = end_object(l);
    } while (good && l->j.depth);
    l->logs += bare;
    return good && (!bare || end_bare(l));
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

/* --- end of input ------------------------------------------------------------------------------*/

/* Handle a text that ends in the middle: what was read counts, if there is anything. */
static bool end_early(json_log *l, const toll_error *err)
{
    bool is_bare = l->j.depth == 1 && l->j.nesting[0] == '[' && !l->has_log;
    toll_format_warn(l->log->options, "%s; what stands before that is used", err->text);
    l->log->counts->cut_off++;
    return is_bare ? end_bare(l) : end_transaction(l);
}

static bool settle(json_log *l, toll_failure *f)
{
    const char *name = toll_input_name(l->j.in);
    if (l->logs + l->lines == 0)
        return toll_solana_answers_fail(&l->answers, name, f);
    l->log->counts->errors += l->answers.errors;
    l->log->counts->nulls += l->answers.nulls;
    toll_solana_answers_warn(&l->answers, name, l->log->options);
    return true;
}

bool toll_solana_read_json(toll_input *in, const toll_solana_log *log, toll_solana_message *message)
{
    toll_error err = { TOLL_OK, "" };
    toll_failure own = { .err = &err }, *f = log->failure;
    json_log *l = toll_mem_new(&message->mem, 1, sizeof *l);
    if (!l)
        return toll_no_memory(f);
    *l = (json_log){ .log = log, .message = message };
    toll_json_begin(&l->j, in, &own);
    l->j.replaces_nul = true; /* programs may pad what they log with NUL */
    bool good = read_documents(l) && toll_ok(f, toll_input_check(in, f->err));
    if (!f->status && own.status == TOLL_E_TRUNCATED && l->invocations &&
        !toll_input_check(in, NULL))
        good = end_early(l, &err);
    else if (!f->status && own.status)
        good = toll_ok(f, toll_fail(f->err, own.status, "%s", err.text));
    good = good && settle(l, f);
    toll_json_free(&l->j);
    toll_mem_free(&message->mem, l, 1, sizeof *l);
    return good;
}
