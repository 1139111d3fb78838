/* rule_parse.c - see rule_parse.h. */
#include "gates/rule_parse.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "gates/rule_text.h"
#include "profile/label_list.h"

#include <string.h>

/* The rule being parsed. */
typedef struct parser {
    toll_rules *rules;
    toll_rule rule;
    size_t begin; /* where the line begins in the file */
    toll_words words;
    toll_error *err;
} parser;

static toll_status wrong(const parser *p, size_t at, const char *text)
{
    return toll_fail_rule(p->rules, p->rule.line, at - p->begin + 1, p->err, TOLL_E_SYNTAX, "%s",
                          text);
}

static const char *text_at(const parser *p, size_t at)
{
    return (const char *)p->rules->file.data + at;
}

static bool is_word(const parser *p, const toll_word_span *w, const char *text)
{
    return !w->is_quoted && w->size == strlen(text) &&
           memcmp(text_at(p, w->at), text, w->size) == 0;
}

static size_t end_of(const toll_word_span *w)
{
    return w->at + w->size;
}

/* --- names -------------------------------------------------------------------------------------*/

static toll_status keep_text(parser *p, size_t at, size_t size, size_t *out)
{
    toll_buffer *texts = &p->rules->texts;
    *out = texts->size;
    if (!toll_buffer_append(texts, text_at(p, at), size) || !toll_buffer_append_byte(texts, 0))
        return toll_fail_nomem(p->err);
    return TOLL_OK;
}

/* Store text[at..at + size) of the file, which is in quotes, without quotes and escapes. */
static toll_status keep_quoted(parser *p, size_t at, size_t size, size_t *out)
{
    toll_buffer *texts = &p->rules->texts;
    size_t bad;
    *out = texts->size;
    const char *wrong_escape = toll_unquote(text_at(p, at), size, texts, &bad);
    if (wrong_escape)
        return wrong(p, at + bad, wrong_escape);
    if (!toll_buffer_append_byte(texts, 0))
        return toll_fail_nomem(p->err);
    return TOLL_OK;
}

/* Parse the file's text[at..end), which begins with the word `first`, as a name or pattern. */
static toll_status parse_names(parser *p, const toll_word_span *first, size_t end, toll_names *out)
{
    size_t at = first->at, size = end - at;
    const char *text = text_at(p, at);
    if (first->is_quoted) {
        out->kind = TOLL_NAMES_TEXT;
        if (end_of(first) != end)
            return wrong(p, end_of(first), "a name in quotes ends here; put two blanks behind it");
        return keep_quoted(p, at, size, &out->text);
    }
    if (size > 1 && *text == '/' && text[size - 1] == '/') {
        if (size < 3)
            return wrong(p, at, "an empty pattern; write a regular expression between / and /");
        out->kind = TOLL_NAMES_REGEX;
        return keep_text(p, at + 1, size - 2, &out->text);
    }
    bool has_star = memchr(text, '*', size) != NULL;
    out->kind = size == 1 && has_star ? TOLL_NAMES_ALL
                : has_star            ? TOLL_NAMES_GLOB
                                      : TOLL_NAMES_TEXT;
    return keep_text(p, at, size, &out->text);
}

/* --- what is before the operator
 * ----------------------------------------------------------------*/

/* A field: words separated by one blank. */
typedef struct field {
    unsigned first, end; /* words */
} field;

enum { MOST_FIELDS = 8 };

/* Split words up to `end` into fields; returns their number, at most MOST_FIELDS + 1. */
static unsigned split_fields(const parser *p, unsigned end, field fields[MOST_FIELDS + 1])
{
    unsigned count = 0;
    for (unsigned i = 0; i < end; i++) {
        if (i && !p->words.items[i].is_far) {
            fields[count - 1].end = i + 1;
            continue;
        }
        if (count > MOST_FIELDS)
            break;
        fields[count++] = (field){ i, i + 1 };
    }
    return count;
}

static toll_status parse_column(parser *p, field f)
{
    const toll_word_span *w = &p->words.items[f.first], *last = &p->words.items[f.end - 1];
    if (!w->is_quoted)
        return keep_text(p, w->at, end_of(last) - w->at, &p->rule.column);
    if (last != w)
        return wrong(p, last->at, "put two blanks between the column and the function");
    return keep_quoted(p, w->at, w->size, &p->rule.column);
}

static toll_status parse_function(parser *p, field f)
{
    const toll_word_span *words = p->words.items;
    if (f.end - f.first > 1 && is_word(p, &words[f.first], "self")) {
        p->rule.is_self = true;
        f.first++;
    }
    p->rule.at_name = (uint32_t)(words[f.first].at - p->begin + 1);
    return parse_names(p, &words[f.first], end_of(&words[f.end - 1]), &p->rule.names);
}

static toll_status parse_roots(parser *p, field f)
{
    const toll_word_span *words = p->words.items;
    if (f.end - f.first < 2 || !is_word(p, &words[f.first], "in"))
        return wrong(p, words[f.first].at,
                     "after the function comes `in ROOT`, `where KEY=VALUE`, or the operator; a "
                     "name with two blanks in it needs quotes");
    p->rule.has_root = true;
    return parse_names(p, &words[f.first + 1], end_of(&words[f.end - 1]), &p->rule.roots);
}

/* Put each label on a line of its own, and mark those with any value: `test=*`. */
static void mark_each(char *text, size_t size)
{
    size_t equals = SIZE_MAX; /* the first one of the label */
    for (size_t i = 0; i < size; i++) {
        bool is_last = i + 1 == size || text[i + 1] == ',';
        if (text[i] == ',') {
            text[i] = '\n';
            equals = SIZE_MAX;
        } else if (text[i] == '=' && equals == SIZE_MAX) {
            equals = i;
        } else if (text[i] == '*' && is_last && equals + 1 == i) {
            text[i] = *TOLL_EACH_VALUE;
        }
    }
}

/* Append the labels of a field, one a line: what is in quotes is one label, else commas are between
 * them. */
static toll_status keep_labels(parser *p, field f)
{
    toll_buffer *texts = &p->rules->texts;
    const toll_word_span *first = &p->words.items[f.first + 1], *last = &p->words.items[f.end - 1];
    size_t from = texts->size, bad;
    if (first->is_quoted && last != first)
        return wrong(p, last->at, "a label in quotes ends here; put two blanks behind it");
    const char *why = NULL;
    if (first->is_quoted)
        why = toll_unquote(text_at(p, first->at), first->size, texts, &bad);
    else
        toll_buffer_append(texts, text_at(p, first->at), end_of(last) - first->at);
    if (!why &&
        memchr(texts->data + from, *TOLL_EACH_VALUE, texts->failed ? 0 : texts->size - from))
        return wrong(p, first->at, "a label has no control character");
    if (!why && memchr(texts->data + from, '\n', texts->failed ? 0 : texts->size - from))
        return wrong(p, first->at, "a label has no line ends");
    if (!first->is_quoted && !texts->failed)
        mark_each((char *)texts->data + from, texts->size - from);
    return why ? wrong(p, first->at + bad, why) : TOLL_OK;
}

/* Is a label of the list about each value? Returns true if another one has its key. */
static bool has_each(const toll_label_list *list, bool *each)
{
    bool is_mixed = false;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].value, TOLL_EACH_VALUE) != 0)
            continue;
        *each = true;
        for (size_t j = 0; j < list->count; j++)
            is_mixed |= j != i && strcmp(list->items[i].key, list->items[j].key) == 0;
    }
    return is_mixed;
}

static toll_status parse_where(parser *p, field f)
{
    toll_buffer *texts = &p->rules->texts;
    const toll_word_span *words = p->words.items;
    toll_label_list list;
    toll_error why = { TOLL_OK, "" };
    if (f.end - f.first < 2)
        return wrong(p, words[f.first].at, "`where` is followed by labels, such as test=swap");
    if (p->rule.has_where)
        texts->size--; /* the NUL: the labels go on */
    else
        p->rule.where = texts->size;
    if (!p->rule.has_where)
        p->rule.where_at = words[f.first].at;
    p->rule.has_where = true;
    toll_status status = keep_labels(p, f);
    if (status)
        return status;
    if (!toll_buffer_append(texts, "\n", 2)) /* with a NUL */
        return toll_fail_nomem(p->err);
    status = toll_label_list_parse(&list, &p->rules->mem, toll_rules_text(p->rules, p->rule.where),
                                   &why);
    bool is_empty = !status && list.count == 0;
    bool is_mixed = !status && has_each(&list, &p->rule.is_each);
    p->rule.is_fixed |= p->rule.is_each; /* the number is not one test's value */
    toll_label_list_free(&list);
    if (is_mixed)
        return wrong(p, words[f.first + 1].at,
                     "KEY=* is about each value of the key; leave out the other label with it");
    if (status == TOLL_E_NOMEM)
        return toll_fail_nomem(p->err);
    return status || is_empty
               ? wrong(p, words[f.first + 1].at, status ? why.text : "there is no label here")
               : TOLL_OK;
}

/* Does `in "ROOT"`, or `where KEY=VALUE`, begin with that word? Only one blank may be before it. */
static bool is_apart(const parser *p, unsigned i, unsigned end)
{
    const toll_word_span *words = p->words.items;
    if (i < 2 || i + 1 >= end)
        return false;
    const toll_word_span *next = &words[i + 1];
    if (is_word(p, &words[i], "where"))
        return memchr(text_at(p, next->at), '=', next->size) != NULL;
    bool is_end = i + 2 == end || words[i + 2].is_far || is_word(p, &words[i + 2], "where");
    return is_word(p, &words[i], "in") && next->is_quoted && is_end;
}

static bool begins_with(const parser *p, field f, const char *word)
{
    return is_word(p, &p->words.items[f.first], word);
}

/* Parse what may follow the function. */
static toll_status parse_choices(parser *p, const field *fields, unsigned count)
{
    toll_status status = TOLL_OK;
    for (unsigned i = 0; !status && i < count; i++)
        status = begins_with(p, fields[i], "where") ? parse_where(p, fields[i])
                 : p->rule.has_root || p->rule.has_where
                     ? wrong(p, p->words.items[fields[i].first].at,
                             "after `in ROOT` come `where KEY=VALUE`, or the operator; a name with "
                             "two blanks in it needs quotes")
                     : parse_roots(p, fields[i]);
    return status;
}

static toll_status parse_subject(parser *p, unsigned end)
{
    field fields[MOST_FIELDS + 1];
    toll_word_span *words = p->words.items;
    if (end == 0)
        return wrong(p, words[0].at,
                     "a column and a function stand before the operator, such as "
                     "`ticks  parse  < 1,000`");
    for (unsigned i = 0; i < end; i++)
        words[i].is_far |= is_apart(p, i, end);
    unsigned count = split_fields(p, end, fields);
    bool is_two_words =
        count && count < MOST_FIELDS && fields[0].end - fields[0].first == 2 &&
        (count == 1 || begins_with(p, fields[1], "in") || begins_with(p, fields[1], "where"));
    if (is_two_words) { /* ticks parse < 1,000: one blank is enough where nothing else can be
                         * meant */
        memmove(&fields[1], &fields[0], count * sizeof *fields);
        fields[0].end = fields[1].first = 1;
        count++;
    }
    if (count == 1)
        return wrong(p, words[0].at,
                     "put two blanks, or a tab, between the column and the "
                     "function, so that both may have blanks in their names");
    if (count > MOST_FIELDS)
        return wrong(p, words[fields[MOST_FIELDS].first].at,
                     "a column, a function, `in ROOT` and `where KEY=VALUE` stand before the "
                     "operator; a name with two blanks in it needs quotes");
    p->rule.subject = (toll_span){ words[0].at, end_of(&words[end - 1]) - words[0].at };
    toll_status status = parse_column(p, fields[0]);
    if (!status)
        status = parse_function(p, fields[1]);
    return status ? status : parse_choices(p, fields + 2, count - 2);
}

/* --- the operator and what follows -------------------------------------------------------------*/

static bool is_keyword(const parser *p, const toll_word_span *w)
{
    return is_word(p, w, "optional") || is_word(p, w, "fixed");
}

/* The length of the sign of a tolerance; 0: there is none. */
static size_t sign_size(const parser *p, const toll_word_span *w)
{
    const char *text = text_at(p, w->at);
    bool is_sign = !w->is_quoted && w->size >= 2 &&
                   (memcmp(text, "\xc2\xb1", 2) == 0 || memcmp(text, "+-", 2) == 0);
    return is_sign ? 2 : 0;
}

/* Read a number whose text begins at `at`, in or before word *i, with the unit in the next word if
 * there is one. Then *i is the word after. */
static toll_span number_at(const parser *p, size_t at, unsigned *i)
{
    const toll_word_span *w = p->words.items;
    size_t end = end_of(&w[*i]);
    ++*i;
    if (*i < p->words.count && !is_keyword(p, &w[*i]) && !sign_size(p, &w[*i])) {
        end = end_of(&w[*i]);
        ++*i;
    }
    return (toll_span){ at, end - at };
}

static toll_status parse_tolerance(parser *p, unsigned *i)
{
    const toll_word_span *w = &p->words.items[*i];
    size_t at = w->at + sign_size(p, w);
    if (at == end_of(w) && ++*i < p->words.count)
        at = p->words.items[*i].at;
    if (*i >= p->words.count)
        return wrong(p, at,
                     "a tolerance is a number or a percentage, such as \xc2\xb1"
                     "10 or "
                     "\xc2\xb1"
                     "1%");
    toll_span n = number_at(p, at, i);
    const char *why = toll_allowance_parse(text_at(p, n.at), n.size, &p->rule.tolerance);
    if (why)
        return wrong(p, n.at, why);
    p->rule.limit.size = n.at + n.size - p->rule.limit.at;
    return TOLL_OK;
}

static toll_status parse_keywords(parser *p, unsigned i)
{
    for (; i < p->words.count; i++) {
        const toll_word_span *w = &p->words.items[i];
        if (!is_keyword(p, w))
            return wrong(p, w->at,
                         "after the number come \xc2\xb1TOLERANCE, `optional` and "
                         "`fixed`, in this order");
        p->rule.is_optional |= is_word(p, w, "optional");
        p->rule.is_fixed |= is_word(p, w, "fixed");
    }
    return TOLL_OK;
}

/* Parse the rest of the line from the operator on, which is in word i. */
static toll_status parse_limit(parser *p, unsigned i)
{
    const toll_word_span *w = &p->words.items[i];
    size_t op_size = toll_rule_operator(text_at(p, w->at), w->size, &p->rule.op);
    size_t at = w->at + op_size;
    p->rule.limit.at = w->at;
    if (op_size == w->size && ++i < p->words.count)
        at = p->words.items[i].at;
    if (i >= p->words.count)
        return wrong(p, at, "a number is missing after the operator");
    p->rule.number = number_at(p, at, &i);
    p->rule.limit.size = p->rule.number.at + p->rule.number.size - p->rule.limit.at;
    const char *why =
        toll_amount_parse(text_at(p, p->rule.number.at), p->rule.number.size, &p->rule.amount);
    if (why && (*text_at(p, at) < '0' || *text_at(p, at) > '9'))
        why = "the operator is followed by a number; a name with an operator in it needs quotes";
    if (why)
        return wrong(p, p->rule.number.at, why);
    toll_status status = TOLL_OK;
    if (i < p->words.count && sign_size(p, &p->words.items[i]))
        status = parse_tolerance(p, &i);
    return status ? status : parse_keywords(p, i);
}

/* --- the whole ---------------------------------------------------------------------------------*/

static toll_status parse_rule(parser *p)
{
    toll_rules *r = p->rules;
    toll_rule_op op;
    unsigned i = 0;
    while (i < p->words.count) {
        const toll_word_span *w = &p->words.items[i];
        if (!w->is_quoted && toll_rule_operator(text_at(p, w->at), w->size, &op))
            break;
        if (!w->is_quoted && toll_is_false_operator(text_at(p, w->at), w->size))
            return wrong(p, w->at,
                         "the operators are <, <=, ==, >= and >; a name with another in "
                         "it needs quotes");
        i++;
    }
    if (i == p->words.count)
        return wrong(p, p->words.items[0].at,
                     "there is no operator; a rule is COLUMN  FUNCTION  < NUMBER, and a comment "
                     "begins with #");
    toll_status status = parse_subject(p, i);
    if (!status)
        status = parse_limit(p, i);
    if (status)
        return status;
    if (r->count == TOLL_MOST_RULES)
        return toll_fail_rule(r, p->rule.line, 0, p->err, TOLL_E_LIMIT,
                              "more than %d rules; use patterns, or several budgets",
                              TOLL_MOST_RULES);
    if (!toll_array_grow(&r->mem, &r->items, &r->capacity, r->count, 1))
        return toll_fail_nomem(p->err);
    r->items[r->count++] = p->rule;
    return TOLL_OK;
}

toll_status toll_rule_parse(toll_rules *r, uint32_t line, size_t at, size_t size, toll_error *err)
{
    parser p = { .rules = r, .rule = { .line = line }, .begin = at, .err = err };
    const char *text = (const char *)r->file.data;
    size_t good = toll_text_check(text + at, size), bad;
    if (good < size)
        return wrong(&p, at + good, "this is not UTF-8 text; save the file as UTF-8");
    const char *why = toll_words_split(text, at, size, &p.words, &bad);
    if (why)
        return wrong(&p, bad, why);
    return p.words.count ? parse_rule(&p) : TOLL_OK;
}
