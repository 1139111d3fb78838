/* sbf_logs.c - logs of Solana transactions into a tree of invocations. See sbf_logs.h.
 *
 *     Program ID invoke [DEPTH]
 *     Program log: TEXT
 *     Program ID consumed N of M compute units
 *     Program ID success            or: failed: REASON
 *
 * Everything else passes. A transaction has no line of its own: `invoke [1]` begins the next
 * instruction. */
#include "format/sbf_logs.h"

#include "base/fail.h"
#include "base/json_read.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* A line, split at its blanks as far as its meaning needs it. */
typedef struct words {
    const char *text;
    size_t size;
} words;

static bool take_word(words *w, words *word)
{
    const char *blank = memchr(w->text, ' ', w->size);
    word->text = w->text;
    word->size = blank ? (size_t)(blank - w->text) : w->size;
    w->text += word->size + (blank != NULL);
    w->size -= word->size + (blank != NULL);
    return word->size > 0;
}

static bool is_word(const words *w, const char *text)
{
    return w->size == strlen(text) && memcmp(w->text, text, w->size) == 0;
}

/* What stands behind the first "Program " of a line: harnesses print things before it. */
static bool find_program(const char *text, size_t size, words *rest)
{
    static const char mark[] = "Program ";
    size_t n = strlen(mark);
    for (; size >= n; text++, size--) {
        const char *at = memchr(text, 'P', size - n + 1);
        if (!at)
            return false;
        size -= (size_t)(at - text);
        text = at;
        if (memcmp(text, mark, n) == 0) {
            *rest = (words){ text + n, size - n };
            return true;
        }
    }
    return false;
}

/* --- invocations -------------------------------------------------------------------------------*/

static toll_sbf_invocation *innermost(toll_sbf_logs *l)
{
    return l->depth ? &l->list[l->open[l->depth - 1]] : NULL;
}

static toll_status check_depth(const toll_sbf_logs *l, const toll_input *in, uint64_t line,
                               uint64_t depth, toll_error *err)
{
    if (depth > TOLL_SBF_MAX_INVOKE_DEPTH)
        return toll_fail_line(in, line, err, TOLL_E_LIMIT,
                              "programs invoke each other %" PRIu64 " deep; at most %d are read",
                              depth, TOLL_SBF_MAX_INVOKE_DEPTH);
    if (depth == 0 || depth > l->depth + 1)
        return toll_fail_line(in, line, err, TOLL_E_SYNTAX,
                              "invoke [%" PRIu64 "] inside of depth %" PRIu32
                              ": lines are missing; log the transaction in full",
                              depth, l->depth);
    if (l->count >= TOLL_SBF_NONE)
        return toll_fail_line(in, line, err, TOLL_E_LIMIT, "more than 2^32 invocations");
    return TOLL_OK;
}

/* Hang the newest invocation under its caller. */
static void link_child(toll_sbf_logs *l, uint32_t id)
{
    toll_sbf_invocation *child = &l->list[id], *parent;
    if (child->parent == TOLL_SBF_NONE)
        return;
    parent = &l->list[child->parent];
    if (parent->children++ == 0)
        parent->first_child = id;
    else
        l->list[parent->last_child].next = id;
    parent->last_child = id;
}

static toll_status begin_invocation(toll_sbf_logs *l, const toll_input *in, uint64_t line,
                                    const words *program, uint64_t depth, toll_error *err)
{
    toll_status status = check_depth(l, in, line, depth, err);
    if (status)
        return status;
    void *list = l->list;
    uint32_t id = (uint32_t)l->count, name;
    if (!toll_mem_reserve(&l->mem, &list, &l->capacity, l->count + 1, sizeof *l->list))
        return toll_fail_nomem(err);
    l->list = list;
    name = toll_strtab_add(&l->strings, program->text, program->size);
    if (name == UINT32_MAX)
        return toll_fail_nomem(err);
    l->depth = (uint32_t)depth - 1; /* what was open deeper ended without a word */
    l->list[l->count++] =
        (toll_sbf_invocation){ .program = name,
                               .parent = depth > 1 ? l->open[depth - 2] : TOLL_SBF_NONE,
                               .first_child = TOLL_SBF_NONE,
                               .last_child = TOLL_SBF_NONE,
                               .next = TOLL_SBF_NONE,
                               .line = line };
    link_child(l, id);
    l->open[l->depth++] = id;
    return TOLL_OK;
}

/* The innermost open invocation, if it is one of `program`. */
static toll_status find_open(toll_sbf_logs *l, const toll_input *in, uint64_t line,
                             const words *program, toll_sbf_invocation **out, toll_error *err)
{
    *out = innermost(l);
    if (*out && toll_strtab_find(&l->strings, program->text, program->size) == (*out)->program)
        return TOLL_OK;
    return toll_fail_line(
        in, line, err, TOLL_E_SYNTAX,
        "%.*s is not the program that runs here (%s); log the transaction in full",
        (int)(program->size < 50 ? program->size : 50), program->text,
        *out ? toll_strtab_text(&l->strings, (*out)->program) : "none does");
}

/* --- lines -------------------------------------------------------------------------------------*/

/* "[2]" */
static bool bracketed_number(const words *w, uint64_t *out)
{
    return w->size > 2 && w->text[0] == '[' && w->text[w->size - 1] == ']' &&
           toll_text_u64(w->text + 1, w->size - 2, out);
}

/* `rest` is what follows `ID consumed`. */
static toll_status take_consumed(toll_sbf_logs *l, const toll_input *in, uint64_t line,
                                 const words *program, words rest, toll_error *err)
{
    words number, of, from;
    uint64_t consumed, available;
    toll_sbf_invocation *at;
    if (!take_word(&rest, &number) || !toll_text_u64(number.text, number.size, &consumed) ||
        !take_word(&rest, &of) || !is_word(&of, "of") || !take_word(&rest, &from) ||
        !toll_text_u64(from.text, from.size, &available) || consumed > INT64_MAX)
        return TOLL_OK; /* a text of the program's that looks alike */
    toll_status status = find_open(l, in, line, program, &at, err);
    if (status)
        return status;
    at->is_told = true;
    at->consumed = consumed;
    at->available = available;
    return TOLL_OK;
}

static toll_status take_end(toll_sbf_logs *l, const toll_input *in, uint64_t line,
                            const words *program, bool has_failed, toll_error *err)
{
    toll_sbf_invocation *at;
    toll_status status = find_open(l, in, line, program, &at, err);
    if (status)
        return status;
    at->has_failed = has_failed;
    l->depth--;
    return TOLL_OK;
}

static toll_status take_line(toll_sbf_logs *l, const toll_input *in, uint64_t line,
                             const char *text, size_t size, toll_error *err)
{
    words rest, program, verb, word;
    uint64_t depth;
    if (size >= 13 && memcmp(text + size - 13, "Log truncated", 13) == 0)
        return toll_fail_line(in, line, err, TOLL_E_TRUNCATED,
                              "the log is cut off here; raise the limit of logged bytes "
                              "(LiteSVM: withLogBytesLimit)");
    if (!find_program(text, size, &rest) || !take_word(&rest, &program))
        return TOLL_OK;
    if (is_word(&program, "log:")) {
        if (innermost(l))
            innermost(l)->log_lines++;
        return TOLL_OK;
    }
    if (program.text[program.size - 1] == ':' || !take_word(&rest, &verb))
        return TOLL_OK;
    if (is_word(&verb, "invoke") && take_word(&rest, &word) && bracketed_number(&word, &depth))
        return begin_invocation(l, in, line, &program, depth, err);
    if (is_word(&verb, "consumed"))
        return take_consumed(l, in, line, &program, rest, err);
    if (is_word(&verb, "success") || is_word(&verb, "failed:"))
        return take_end(l, in, line, &program, *verb.text == 'f', err);
    return TOLL_OK;
}

static toll_status read_lines(toll_sbf_logs *l, toll_input *in, toll_error *err)
{
    const char *text;
    size_t size;
    bool whole;
    uint64_t line = 0;
    while (toll_input_line(in, &text, &size, &whole)) {
        toll_status status = take_line(l, in, ++line, text, size, err);
        if (status)
            return status;
    }
    return toll_input_check(in, err);
}

/* --- JSON --------------------------------------------------------------------------------------*/

/* Strings of the array that has just begun are lines; what else it holds is passed over. */
static toll_status read_array(toll_sbf_logs *l, toll_json *json, toll_error *err)
{
    toll_json_token token;
    toll_status status = TOLL_OK;
    while (!status && (token = toll_json_next(json)) != TOLL_JSON_ARRAY_END) {
        if (token == TOLL_JSON_STRING)
            status = take_line(l, json->in, json->line, toll_json_text(json), json->text.size, err);
        else if (!toll_json_skip(json, token))
            status = json->status;
    }
    return status;
}

static toll_status read_json(toll_sbf_logs *l, toll_input *in, toll_error *err)
{
    toll_json json;
    toll_status status = TOLL_OK;
    toll_json_token token;
    bool is_first = true, is_logs = false;
    toll_json_begin(&json, in, err);
    while (!status && (token = toll_json_next(&json)) != TOLL_JSON_END) {
        if (token == TOLL_JSON_ERROR)
            status = json.status;
        else if (token == TOLL_JSON_ARRAY && (is_logs || is_first))
            status = read_array(l, &json, err);
        is_logs = token == TOLL_JSON_KEY && (strcmp(toll_json_text(&json), "logMessages") == 0 ||
                                             strcmp(toll_json_text(&json), "logs") == 0);
        is_first = false;
    }
    toll_json_free(&json);
    return status;
}

static bool looks_like_json(toll_input *in)
{
    size_t got;
    const uint8_t *data = toll_input_peek(in, 4096, &got);
    for (size_t i = 0; i < got; i++)
        if (!memchr(" \t\r\n", data[i], 4))
            /* a log line may begin with "[2026-..." */
            return data[i] == '{' ||
                   (data[i] == '[' && i + 1 < got && memchr(" \t\r\n\"", data[i + 1], 5));
    return false;
}

/* --- the tree ----------------------------------------------------------------------------------*/

/* What each spent without those that it invoked: backwards, so that they are summed already. `own`
 * collects their sum first. */
static toll_status sum_up(toll_sbf_logs *l, const toll_input *in, toll_error *err)
{
    for (size_t i = l->count; i-- > 0;) {
        toll_sbf_invocation *at = &l->list[i];
        if (!at->is_told)
            at->consumed = at->own;
        if (at->own > at->consumed)
            return toll_fail_line(in, at->line, err, TOLL_E_SYNTAX,
                                  "%s consumed %" PRIu64 ", but what it invoked %" PRIu64
                                  "; are lines of two transactions mixed?",
                                  toll_sbf_logs_program(l, (uint32_t)i), at->consumed, at->own);
        at->own = at->consumed - at->own;
        if (at->parent != TOLL_SBF_NONE) {
            toll_sbf_invocation *parent = &l->list[at->parent];
            parent->own =
                parent->own + at->consumed < INT64_MAX ? parent->own + at->consumed : INT64_MAX;
        }
    }
    return TOLL_OK;
}

void toll_sbf_logs_init(toll_sbf_logs *l, const toll_mem *mem)
{
    *l = (toll_sbf_logs){ .mem = *mem };
    toll_strtab_init(&l->strings, mem);
}

void toll_sbf_logs_free(toll_sbf_logs *l)
{
    toll_mem_free(&l->mem, l->list, l->capacity, sizeof *l->list);
    toll_strtab_free(&l->strings);
    toll_sbf_logs_init(l, &l->mem);
}

toll_status toll_sbf_logs_read(toll_sbf_logs *l, toll_input *in, toll_error *err)
{
    toll_status status = looks_like_json(in) ? read_json(l, in, err) : read_lines(l, in, err);
    if (!status && l->count == 0)
        status = toll_fail(err, TOLL_E_SYNTAX,
                           "%s: no line 'Program ID invoke [1]' is in it; are these the "
                           "transaction's logs?",
                           toll_input_name(in));
    return status ? status : sum_up(l, in, err);
}

const char *toll_sbf_logs_program(const toll_sbf_logs *l, uint32_t invocation)
{
    return toll_strtab_text(&l->strings, l->list[invocation].program);
}
