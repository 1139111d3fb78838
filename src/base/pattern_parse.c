/* pattern_parse.c - parses the text of a pattern into a tree. Unsupported syntax is refused with
 * its name. The page parses the same patterns: src/page/web/pattern.mjs. */
#include "base/array.h"
#include "base/fail.h"
#include "base/pattern_tree.h"
#include "base/printable.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MOST = 32768, RANGES_MOST = 100000, REPEATS_MOST = 1000 };

typedef struct parser {
    toll_pattern_tree *tree;
    const char *text;
    size_t at;
    unsigned depth;
    toll_error *err;
    toll_status status; /* the first failure; functions return false from then on */
} parser;

static bool no_memory(parser *p)
{
    p->status = toll_fail_nomem(p->err);
    return false;
}

static bool wrong(parser *p, size_t at, const char *format, ...) TOLL_PRINTF(3, 4);

/* Fail with a message about the text from `at` on. Always false. */
static bool wrong(parser *p, size_t at, const char *format, ...)
{
    char why[200];
    size_t character = 1;
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    for (size_t i = 0; i < at; i++)
        character += (p->text[i] & 0xc0) != 0x80;
    p->status = toll_fail(p->err, TOLL_E_ARGUMENT, "bad pattern '%.200s': %s (character %zu)",
                          p->text, why, character);
    return false;
}

/* --- the tree ----------------------------------------------------------------------------------*/

static uint32_t add_node(parser *p, toll_node_kind kind, uint32_t value)
{
    toll_pattern_tree *t = p->tree;
    if (!toll_array_grow(&t->mem, &t->nodes, &t->capacity, t->count, 1)) {
        no_memory(p);
        return TOLL_PATTERN_NONE;
    }
    t->nodes[t->count] = (toll_pattern_node){ kind, value, TOLL_PATTERN_NONE, 1, 1 };
    return (uint32_t)t->count++;
}

static uint32_t find_set(const toll_pattern_tree *t, const toll_char_set *set, uint32_t hash)
{
    size_t place = hash;
    uint32_t id;
    while ((id = toll_id_index_next(&t->set_index, hash, &place)) != UINT32_MAX)
        if (t->sets[id].count == set->count &&
            (!set->count ||
             !memcmp(t->sets[id].ranges, set->ranges, set->count * sizeof *set->ranges)))
            return id;
    return UINT32_MAX;
}

/* Add a node for one character of a set. Takes ownership of the set. */
static uint32_t add_set(parser *p, toll_char_set *set)
{
    toll_pattern_tree *t = p->tree;
    toll_char_set_sort(set);
    uint32_t hash = (uint32_t)toll_hash_bytes(set->ranges, set->count * sizeof *set->ranges, 0);
    uint32_t id = find_set(t, set, hash);
    if (id != UINT32_MAX) {
        toll_char_set_free(set, &t->mem);
        return add_node(p, TOLL_NODE_SET, id);
    }
    t->range_count += set->count;
    if (!toll_array_grow(&t->mem, &t->sets, &t->set_capacity, t->set_count, 1) ||
        !toll_id_index_reserve(&t->set_index, &t->mem)) {
        toll_char_set_free(set, &t->mem);
        no_memory(p);
        return TOLL_PATTERN_NONE;
    }
    id = (uint32_t)t->set_count++;
    t->sets[id] = *set;
    toll_id_index_add(&t->set_index, hash, id);
    return add_node(p, TOLL_NODE_SET, id);
}

/* Is the tree still within its limits? A named set may have hundreds of ranges, and be used
 * often. */
static bool is_bounded(parser *p, const toll_char_set *set)
{
    return p->tree->range_count + set->count <= RANGES_MOST ||
           wrong(p, p->at, "it names more than %d ranges of characters", RANGES_MOST);
}

/* --- characters --------------------------------------------------------------------------------*/

/* Read the next character. */
static uint32_t take(parser *p)
{
    const char *text = p->text + p->at;
    toll_character c = toll_character_at(text, strnlen(text, 4));
    p->at += c.size;
    return c.code == TOLL_NOT_UTF8 ? TOLL_CHAR_BYTES + (uint8_t)*text : c.code;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Read up to `most` hexadecimal digits. Returns their number. */
static size_t read_hex(parser *p, size_t most, uint32_t *out)
{
    size_t n = 0;
    for (*out = 0; n < most; n++, p->at++) {
        char c = p->text[p->at], lower = (char)(c | 0x20);
        if (!is_digit(c) && !(lower >= 'a' && lower <= 'f'))
            break;
        *out = *out * 16 + (uint32_t)(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return n;
}

/* After \x or \u. */
static bool read_code(parser *p, char letter, uint32_t *out)
{
    size_t begin = p->at - 2, want = letter == 'x' ? 2 : 4;
    if (letter == 'u' && p->text[p->at] == '{') {
        p->at++;
        if (read_hex(p, 6, out) && p->text[p->at] == '}' && *out <= 0x10ffff) {
            p->at++;
            return true;
        }
    } else if (read_hex(p, want, out) == want) {
        return true;
    }
    return wrong(p, begin, "write \\xHH, \\uHHHH or \\u{H...} for a character, up to 10ffff");
}

/* After \p or \P. */
static bool read_category(parser *p, char letter, toll_char_set *set)
{
    const toll_mem *mem = &p->tree->mem;
    toll_char_set own = { 0 };
    const char *name = p->text + p->at + 1;
    size_t size = p->text[p->at] == '{' ? strcspn(name, "}") : 0;
    bool known = false;
    bool good = !size || toll_char_set_add_category(&own, mem, name, size, &known);
    if (good && known && letter == 'P')
        good = toll_char_set_invert(&own, mem);
    good = good && toll_char_set_join(set, mem, &own);
    toll_char_set_free(&own, mem);
    if (!good)
        return no_memory(p);
    if (!known || name[size] != '}')
        return wrong(p, p->at - 2,
                     "\\%c takes a general category of Unicode: \\%c{L}, \\%c{Lu}, ...", letter,
                     letter, letter);
    p->at += size + 2;
    return true;
}

static bool wrong_escape(parser *p, size_t at, char letter)
{
    if (letter >= '1' && letter <= '9')
        return wrong(p, at, "'\\%c' is a back reference, which patterns do not have", letter);
    if (letter == 'k')
        return wrong(p, at, "'\\k' is a back reference, which patterns do not have");
    if (letter == '<' || letter == '>')
        return wrong(p, at, "'\\%c' is nothing; the edge of a word is \\b", letter);
    if (!letter)
        return wrong(p, at, "there is nothing behind the last '\\'");
    return wrong(p, at, "'\\%c' is nothing that patterns have", letter);
}

/* Read a character or a class after a backslash. *code is UINT32_MAX for a class, which is added to
 * the set. */
static bool read_escape(parser *p, toll_char_set *set, uint32_t *code)
{
    static const char controls[] = "n\nt\tr\rf\fv\v";
    size_t begin = p->at++;
    char letter = p->text[p->at];
    *code = UINT32_MAX;
    if (!letter || (letter & 0x80))
        return wrong_escape(p, begin, letter & 0x80 ? '?' : 0);
    p->at++;
    for (const char *c = controls; *c; c += 2)
        if (*c == letter) {
            *code = (uint8_t)c[1];
            return true;
        }
    if (strchr("dDwWsS", letter))
        return toll_char_set_add_letter(set, &p->tree->mem, letter) || no_memory(p);
    if (letter == 'p' || letter == 'P')
        return read_category(p, letter, set);
    if (letter == 'x' || letter == 'u')
        return read_code(p, letter, code);
    if (is_letter(letter) || is_digit(letter) || letter == '<' || letter == '>')
        return wrong_escape(p, begin, letter);
    *code = (uint8_t)letter;
    return true;
}

/* --- brackets ----------------------------------------------------------------------------------*/

/* Read "[:alpha:]" within brackets. *is: there was one. */
static bool read_posix(parser *p, toll_char_set *set, bool *is)
{
    const char *begin = p->text + p->at;
    const char *end = begin[0] == '[' && begin[1] ? strchr(begin + 2, ']') : NULL;
    bool known;
    *is = end && begin[1] == ':' && end > begin + 2 && end[-1] == ':';
    if (!*is && end && strchr(".=", begin[1]) && end > begin + 2 && end[-1] == begin[1])
        return wrong(p, p->at, "'[%c' begins a name of a character, which patterns do not have",
                     begin[1]);
    if (!*is)
        return true;
    if (!toll_char_set_add_posix(set, &p->tree->mem, begin + 2, (size_t)(end - begin) - 3, &known))
        return no_memory(p);
    if (!known)
        return wrong(p, p->at,
                     "there is no such class; there are alnum, alpha, blank, cntrl, "
                     "digit, graph, lower, print, punct, space, upper, xdigit");
    p->at += (size_t)(end - begin) + 1;
    return true;
}

/* Read one character, or a class; *code is UINT32_MAX for a class. */
static bool read_member(parser *p, toll_char_set *set, uint32_t *code)
{
    bool is_posix;
    if (!read_posix(p, set, &is_posix))
        return false;
    *code = UINT32_MAX;
    if (is_posix)
        return true;
    if (p->text[p->at] == '\\')
        return read_escape(p, set, code);
    *code = take(p);
    return true;
}

/* Read a character, a class, or a range of characters. */
static bool read_range(parser *p, toll_char_set *set)
{
    size_t begin = p->at;
    uint32_t first, last;
    if (!read_member(p, set, &first))
        return false;
    last = first;
    if (p->text[p->at] == '-' && p->text[p->at + 1] && p->text[p->at + 1] != ']') {
        p->at++;
        if (!read_member(p, set, &last))
            return false;
        if (first == UINT32_MAX || last == UINT32_MAX)
            return wrong(p, begin, "a class is no end of a range; write '-' last");
        if (first > last)
            return wrong(p, begin, "a range whose end is before its beginning");
    }
    return first == UINT32_MAX || toll_char_set_add(set, &p->tree->mem, first, last) ||
           no_memory(p);
}

static bool read_brackets(parser *p, toll_char_set *set)
{
    size_t begin = p->at++;
    bool invert = p->text[p->at] == '^';
    p->at += invert;
    do { /* a ']' that comes first is an ordinary character */
        if (!p->text[p->at])
            return wrong(p, begin, "'[' is never closed; write \\[ for the character");
        if (!read_range(p, set) || !is_bounded(p, set))
            return false;
    } while (p->text[p->at] != ']');
    p->at++;
    return !invert || toll_char_set_invert(set, &p->tree->mem) || no_memory(p);
}

/* --- the whole ---------------------------------------------------------------------------------*/

static bool read_number(parser *p, size_t *at, uint32_t *out)
{
    size_t begin = *at;
    for (*out = 0; is_digit(p->text[*at]); (*at)++)
        if (*out <= REPEATS_MOST) /* a larger number is too large anyway */
            *out = *out * 10 + (uint32_t)(p->text[*at] - '0');
    return *at > begin;
}

/* The size of {N}, {N,} or {N,M}; 0 if the brace is an ordinary character. */
static size_t braces(parser *p, uint32_t *min, uint32_t *max)
{
    size_t at = p->at + 1;
    if (p->text[p->at] != '{' || !read_number(p, &at, min))
        return 0;
    *max = *min;
    if (p->text[at] == ',') {
        at++;
        if (!read_number(p, &at, max))
            *max = TOLL_PATTERN_MORE;
    }
    return p->text[at] == '}' ? at + 1 - p->at : 0;
}

/* The size of a quantifier (*, +, ?, {N,M}); 0 if there is none. */
static size_t repeats(parser *p, uint32_t *min, uint32_t *max)
{
    char c = p->text[p->at];
    if (c != '*' && c != '+' && c != '?')
        return braces(p, min, max);
    *min = c == '+';
    *max = c == '?' ? 1 : TOLL_PATTERN_MORE;
    return 1;
}

static bool repeat(parser *p, uint32_t node)
{
    uint32_t min, max;
    size_t begin = p->at, size = repeats(p, &min, &max);
    if (!size)
        return true;
    p->at += size;
    if (p->tree->nodes[node].kind == TOLL_NODE_EDGE)
        return wrong(p, begin, "there is nothing before '%c' that can be repeated", p->text[begin]);
    if (min > REPEATS_MOST || (max > REPEATS_MOST && max != TOLL_PATTERN_MORE))
        return wrong(p, begin, "it repeats more than %d times", REPEATS_MOST);
    if (min > max)
        return wrong(p, begin, "the second number of {} is less than the first");
    if (p->text[p->at] == '?') /* lazy: the same names match */
        p->at++;
    else if (p->text[p->at] == '+')
        return wrong(p, begin, "possessive repeats ('%c+') are not in patterns", p->text[begin]);
    p->tree->nodes[node].min = min;
    p->tree->nodes[node].max = max;
    return true;
}

/* Read the rest of '(' or '(?:'; other kinds of groups are refused. */
static bool read_group_kind(parser *p)
{
    size_t at = p->at++;
    const char *rest = p->text + at + 2;
    if (p->text[p->at] == '*')
        return wrong(p, at, "'(*' is a verb, which patterns do not have");
    if (p->text[p->at] != '?')
        return true;
    bool behind = rest[0] == '<' && (rest[1] == '=' || rest[1] == '!');
    if (rest[0] == ':') {
        p->at += 2;
        return true;
    }
    if (rest[0] == '=' || rest[0] == '!' || behind)
        return wrong(p, at, "'(?%.*s' looks around, which patterns do not", behind ? 2 : 1, rest);
    if (rest[0] == '<' || rest[0] == 'P' || rest[0] == '\'')
        return wrong(p, at, "groups have no names; write '(' alone");
    if (rest[0] == 'R' || rest[0] == '&' || is_digit(rest[0]))
        return wrong(p, at, "'(?%c' is recursion, which patterns do not have", rest[0]);
    if (rest[0] == '(')
        return wrong(p, at, "'(?(' is a conditional, which patterns do not have");
    return wrong(p, at, "'(?' begins what patterns do not have; a group is (...) or (?:...)");
}

static uint32_t read_group(parser *p);

static uint32_t read_parentheses(parser *p)
{
    size_t begin = p->at;
    if (!read_group_kind(p))
        return TOLL_PATTERN_NONE;
    if (++p->depth > TOLL_PATTERN_DEPTH) {
        wrong(p, begin, "groups are nested more than %d deep", TOLL_PATTERN_DEPTH);
        return TOLL_PATTERN_NONE;
    }
    uint32_t group = read_group(p);
    p->depth--;
    if (group != TOLL_PATTERN_NONE && p->text[p->at] != ')') {
        wrong(p, begin, "'(' is never closed; write \\( for the character");
        return TOLL_PATTERN_NONE;
    }
    p->at++;
    return group;
}

static uint32_t read_set(parser *p)
{
    toll_char_set set = { 0 };
    const toll_mem *mem = &p->tree->mem;
    uint32_t code = UINT32_MAX;
    bool good;
    if (p->text[p->at] == '\\') {
        good = read_escape(p, &set, &code);
    } else if (p->text[p->at] == '[') {
        good = read_brackets(p, &set);
    } else if (p->text[p->at] == '.') {
        p->at++;
        good = toll_char_set_add(&set, mem, 0, TOLL_CHAR_LAST) || no_memory(p);
    } else {
        code = take(p);
        good = true;
    }
    if (good && code != UINT32_MAX)
        good = toll_char_set_add(&set, mem, code, code) || no_memory(p);
    if (good && is_bounded(p, &set))
        return add_set(p, &set);
    toll_char_set_free(&set, mem);
    return TOLL_PATTERN_NONE;
}

static uint32_t read_part(parser *p)
{
    const char *text = p->text + p->at;
    uint32_t min, max;
    if (*text == '(')
        return read_parentheses(p);
    if (*text == '^' || *text == '$') {
        p->at++;
        return add_node(p, TOLL_NODE_EDGE, *text == '^' ? TOLL_EDGE_BEGIN : TOLL_EDGE_END);
    }
    if (*text == '\\' && (text[1] == 'b' || text[1] == 'B')) {
        p->at += 2;
        return add_node(p, TOLL_NODE_EDGE, text[1] == 'b' ? TOLL_EDGE_WORD : TOLL_EDGE_NO_WORD);
    }
    if (repeats(p, &min, &max)) {
        wrong(p, p->at, "there is nothing before '%c' that can be repeated", *text);
        return TOLL_PATTERN_NONE;
    }
    return read_set(p);
}

static uint32_t read_branch(parser *p)
{
    uint32_t branch = add_node(p, TOLL_NODE_BRANCH, TOLL_PATTERN_NONE), last = TOLL_PATTERN_NONE;
    while (!p->status && p->text[p->at] && !strchr("|)", p->text[p->at])) {
        uint32_t part = read_part(p);
        if (part == TOLL_PATTERN_NONE || !repeat(p, part))
            return TOLL_PATTERN_NONE;
        if (last == TOLL_PATTERN_NONE)
            p->tree->nodes[branch].value = part;
        else
            p->tree->nodes[last].next = part;
        last = part;
    }
    return branch;
}

static uint32_t read_group(parser *p)
{
    uint32_t group = add_node(p, TOLL_NODE_GROUP, TOLL_PATTERN_NONE), last = TOLL_PATTERN_NONE;
    for (; group != TOLL_PATTERN_NONE; p->at++) {
        uint32_t branch = read_branch(p);
        if (branch == TOLL_PATTERN_NONE)
            return TOLL_PATTERN_NONE;
        if (last == TOLL_PATTERN_NONE)
            p->tree->nodes[group].value = branch;
        else
            p->tree->nodes[last].next = branch;
        last = branch;
        if (p->text[p->at] != '|')
            break;
    }
    return group;
}

toll_status toll_pattern_tree_parse(toll_pattern_tree *tree, const toll_mem *mem, const char *text,
                                    toll_error *err)
{
    parser p = { .tree = tree, .text = text, .err = err };
    *tree = (toll_pattern_tree){ .mem = *mem };
    if (strlen(text) > TEXT_MOST)
        return toll_fail(err, TOLL_E_LIMIT, "bad pattern '%.200s...': it has more than %d bytes",
                         text, TEXT_MOST);
    read_group(&p);
    if (!p.status && text[p.at] == ')')
        wrong(&p, p.at, "')' closes nothing; write \\) for the character");
    return p.status;
}

void toll_pattern_tree_free(toll_pattern_tree *tree)
{
    for (size_t i = 0; i < tree->set_count; i++)
        toll_char_set_free(&tree->sets[i], &tree->mem);
    toll_mem_free(&tree->mem, tree->sets, tree->set_capacity, sizeof *tree->sets);
    toll_mem_free(&tree->mem, tree->nodes, tree->capacity, sizeof *tree->nodes);
    toll_id_index_free(&tree->set_index, &tree->mem);
    *tree = (toll_pattern_tree){ 0 };
}
