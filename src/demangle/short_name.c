/* short_name.c - see short_name.h. One pass finds which brackets belong together, another writes.
 */
#include "demangle/short_name.h"

#include <string.h>

#define IS_PATH 0x80000000u /* flag of a '<': "T as Trait" follows */
#define MOST 0x7ffffff0u    /* names with more bytes are not shortened */
#define SMALL 4             /* texts up to this size are not replaced by "...": "auto" */

typedef struct writer {
    const char *text;
    size_t size;
    uint32_t *partner; /* of a bracket: the position of its partner, plus 1; 0: it is an operator,
                        * not a bracket */
    const toll_name_view *view;
    toll_buffer *out, *folded;
    unsigned open;    /* number of brackets open at this position */
    bool is_function; /* it has "::" or arguments, so a '(' begins parameters */
} writer;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (uint8_t)c >= 0x80;
}

static bool begins(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

/* The end of an "operator<<" that begins at `at`; `at` itself if there is none. */
static size_t operator_end(const char *text, size_t at)
{
    static const char *const signs[] = { "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=",
                                         ">=",  "->",  "()",  "[]",  "<",  ">" };
    if ((at && is_letter(text[at - 1])) || !begins(text + at, "operator"))
        return at;
    size_t end = at + strlen("operator");
    if (begins(text + end, "<<") && is_letter(text[end + 2]))
        return end + 1; /* "operator<" with arguments, as LLVM writes it: "operator<<int>" */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins(text + end, signs[i]))
            return end + strlen(signs[i]);
    size_t others = strspn(text + end, "=!+-*/%&|^~,");
    return others ? end + others : at;
}

/* --- brackets ----------------------------------------------------------------------------------*/

typedef struct matcher {
    const char *text;
    uint32_t *partner, *stack; /* a stack of positions of opening brackets */
    size_t depth;
    size_t open[4]; /* of each kind on the stack */
} matcher;

static int kind(char c)
{
    static const char brackets[] = "<>()[]{}";
    const char *found = c ? strchr(brackets, c) : NULL;
    return found ? (int)(found - brackets) : -1;
}

static void close_bracket(matcher *m, int k, uint32_t at)
{
    /* '>' may be an operator in parentheses; other closing brackets also end unclosed ones within
     * them. */
    if (!m->open[k] || (k == 0 && m->text[m->stack[m->depth - 1]] != '<'))
        return;
    for (;;) {
        uint32_t from = m->stack[--m->depth];
        int popped = kind(m->text[from]) / 2;
        m->open[popped]--;
        if (popped == k) {
            m->partner[from] |= at + 1;
            m->partner[at] = from + 1;
            return;
        }
        m->partner[from] = 0; /* an operator */
    }
}

static void match(matcher *m, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        size_t end = operator_end(m->text, at);
        if (end > at) {
            at = end - 1;
            continue;
        }
        int k = kind(m->text[at]);
        bool in_arguments = m->depth && m->text[m->stack[m->depth - 1]] == '<';
        if (k < 0) {
            if (in_arguments && (begins(m->text + at, " as ") || begins(m->text + at, " for ")))
                m->partner[m->stack[m->depth - 1]] |= IS_PATH;
        } else if (k % 2) {
            if (k != 1 || !at || m->text[at - 1] != '-') /* "->" is no bracket */
                close_bracket(m, k / 2, (uint32_t)at);
        } else if (k != 0 || m->text[at + 1] != '=') {
            m->stack[m->depth++] = (uint32_t)at;
            m->open[k / 2]++;
        }
    }
    while (m->depth > 0) /* these never close */
        m->partner[m->stack[--m->depth]] = 0;
}

/* --- writing -----------------------------------------------------------------------------------*/

/* Does `text` end, at `at`, with this word? */
static bool ends(const char *text, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at >= n && memcmp(text + at - n, word, n) == 0 &&
           (at == n || !is_letter(text[at - n - 1]));
}

/* The end (after "::") of an inline namespace that begins at `at`; `at` itself if there is none. */
static size_t inline_namespace_end(const char *text, size_t at)
{
    static const char digits[] = "0123456789";
    const char *name = text + at;
    size_t n = 0;
    if (begins(name, "__cxx11"))
        n = 7;
    else if (begins(name, "_V2"))
        n = 3;
    else if (ends(text, at, "std::") && begins(name, "__ndk"))
        n = 5 + strspn(name + 5, digits);
    else if (ends(text, at, "std::") && begins(name, "__") && strspn(name + 2, digits))
        n = 2 + strspn(name + 2, digits);
    else if (ends(text, at, "absl::") && begins(name, "lts_"))
        n = 4 + strspn(name + 4, digits);
    return n && begins(name + n, "::") ? at + n + 2 : at;
}

/* Does '<' at `at` begin arguments of a template, or of Rust's generics? "<T as Trait>" and
 * "<impl Trait for T>" are parts of a path. */
static bool is_arguments(const writer *w, size_t at, bool after_operator)
{
    char before = at ? w->text[at - 1] : 0;
    return !(w->partner[at] & IS_PATH) && !begins(w->text + at + 1, "impl ") &&
           (after_operator || is_letter(before) || (before && strchr(":]}'", before)));
}

static bool is_parameters(const writer *w, size_t at, bool after_operator)
{
    char before = at ? w->text[at - 1] : 0;
    if (ends(w->text, at, "lambda") || ends(w->text, at, "decltype "))
        return true;
    return w->is_function && !w->open &&
           (after_operator || is_letter(before) || (before && strchr(">]'", before)));
}

static bool folds(writer *w, size_t at, size_t end, bool after_operator)
{
    if (w->text[at] == '<') {
        if (!is_arguments(w, at, after_operator))
            return false;
        w->is_function = true;
    } else if (w->text[at] != '(' || !is_parameters(w, at, after_operator)) {
        return false;
    }
    return end - at - 1 > SMALL && !(w->view->shown && w->view->shown[at]);
}

/* Write a bracket; or, if its content is folded, everything up to its partner; or nothing for an
 * ABI tag. Returns the next position. */
static size_t put_opening(writer *w, size_t at, bool after_operator)
{
    size_t end = (w->partner[at] & ~IS_PATH) - 1;
    if (!w->view->scopes && begins(w->text + at, "[abi:"))
        return end + 1;
    toll_buffer_append_byte(w->out, (uint8_t)w->text[at]);
    if (!folds(w, at, end, after_operator)) {
        w->open++;
        return at + 1;
    }
    toll_buffer_append_text(w->out, "...");
    toll_buffer_append_byte(w->out, (uint8_t)w->text[end]);
    toll_name_part part = { (uint32_t)at, (uint32_t)(end - at + 1) };
    if (w->folded)
        toll_buffer_append(w->folded, &part, sizeof part);
    return end + 1;
}

static size_t put_next(writer *w, size_t at, bool after_operator)
{
    int k = w->partner[at] ? kind(w->text[at]) : -1;
    if (k >= 0 && k % 2 == 0)
        return put_opening(w, at, after_operator);
    if (k >= 0)
        w->open--;
    if (!begins(w->text + at, "::")) {
        toll_buffer_append_byte(w->out, (uint8_t)w->text[at]);
        return at + 1;
    }
    toll_buffer_append(w->out, "::", 2);
    return w->view->scopes ? at + 2 : inline_namespace_end(w->text, at + 2);
}

static void put_name(writer *w)
{
    size_t after = SIZE_MAX; /* the end of an operator's name */
    for (size_t at = 0; at < w->size;) {
        size_t end = operator_end(w->text, at);
        if (end == at) {
            at = put_next(w, at, at == after);
            continue;
        }
        if (begins(w->text + end, " <")) /* "operator< <int>" */
            end++;
        toll_buffer_append(w->out, w->text + at, end - at);
        after = at = end;
    }
}

bool toll_append_short_name(toll_buffer *out, const char *name, const toll_name_view *view,
                            toll_buffer *folded, toll_buffer *room)
{
    size_t size = strlen(name);
    bool has_scope = strstr(name, "::") != NULL;
    if (size > MOST || (!has_scope && !strchr(name, '<')))
        return toll_buffer_append(out, name, size);
    toll_buffer_clear(room);
    size_t bytes = 2 * size * sizeof(uint32_t);
    uint32_t *partner = (void *)toll_buffer_room(room, bytes);
    if (!partner)
        return false;
    memset(partner, 0, bytes);
    matcher m = { .text = name, .partner = partner, .stack = partner + size };
    match(&m, size);
    writer w = { .text = name,
                 .size = size,
                 .partner = partner,
                 .view = view,
                 .out = out,
                 .folded = folded,
                 .is_function = has_scope };
    put_name(&w);
    return !out->failed && !(folded && folded->failed);
}
