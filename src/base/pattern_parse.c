/* pattern_parse.c - parses the text of a pattern into a tree. Unsupported syntax is refused with
 * its name. The page parses the same patterns: src/page/web/pattern.mjs. */
#include "base/array.h"
#include "base/fail.h"
#include "base/pattern_chars.h"
#include "base/text.h"

#include <string.h>

enum { TEXT_MOST = 32768, REPEATS_MOST = 1000 };

/* --- the tree ----------------------------------------------------------------------------------*/

static uint32_t add_node(toll_pattern_parser *p, toll_node_kind kind, uint32_t value)
{
    toll_pattern_tree *t = p->tree;
    if (!toll_array_grow(&t->mem, &t->nodes, &t->capacity, t->count, 1)) {
        toll_pattern_no_memory(p);
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
static uint32_t add_set(toll_pattern_parser *p, toll_char_set *set)
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
        toll_pattern_no_memory(p);
        return TOLL_PATTERN_NONE;
    }
    id = (uint32_t)t->set_count++;
    t->sets[id] = *set;
    toll_id_index_add(&t->set_index, hash, id);
    return add_node(p, TOLL_NODE_SET, id);
}

/* --- the whole ---------------------------------------------------------------------------------*/

static bool read_number(toll_pattern_parser *p, size_t *at, uint32_t *out)
{
    size_t begin = *at;
    for (*out = 0; toll_pattern_is_digit(p->text[*at]); (*at)++)
        if (*out <= REPEATS_MOST) /* a larger number is too large anyway */
            *out = *out * 10 + (uint32_t)(p->text[*at] - '0');
    return *at > begin;
}

/* The size of {N}, {N,} or {N,M}; 0 if the brace is an ordinary character. */
static size_t braces(toll_pattern_parser *p, uint32_t *min, uint32_t *max)
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
static size_t repeats(toll_pattern_parser *p, uint32_t *min, uint32_t *max)
{
    char c = p->text[p->at];
    if (c != '*' && c != '+' && c != '?')
        return braces(p, min, max);
    *min = c == '+';
    *max = c == '?' ? 1 : TOLL_PATTERN_MORE;
    return 1;
}

static bool repeat(toll_pattern_parser *p, uint32_t node)
{
    uint32_t min, max;
    size_t begin = p->at, size = repeats(p, &min, &max);
    if (!size)
        return true;
    p->at += size;
    if (p->tree->nodes[node].kind == TOLL_NODE_EDGE)
        return toll_pattern_wrong(p, begin, "there is nothing before '%c' that can be repeated",
                                  p->text[begin]);
    if (min > REPEATS_MOST || (max > REPEATS_MOST && max != TOLL_PATTERN_MORE))
        return toll_pattern_wrong(p, begin, "it repeats more than %d times", REPEATS_MOST);
    if (min > max)
        return toll_pattern_wrong(p, begin, "the second number of {} is less than the first");
    if (p->text[p->at] == '?') /* lazy: the same names match */
        p->at++;
    else if (p->text[p->at] == '+')
        return toll_pattern_wrong(p, begin, "possessive repeats ('%c+') are not in patterns",
                                  p->text[begin]);
    p->tree->nodes[node].min = min;
    p->tree->nodes[node].max = max;
    return true;
}

/* Read the rest of '(' or '(?:'; other kinds of groups are refused. */
static bool read_group_kind(toll_pattern_parser *p)
{
    size_t at = p->at++;
    const char *rest = p->text + at + 2;
    if (p->text[p->at] == '*')
        return toll_pattern_wrong(p, at, "'(*' is a verb, which patterns do not have");
    if (p->text[p->at] != '?')
        return true;
    bool behind = rest[0] == '<' && (rest[1] == '=' || rest[1] == '!');
    if (rest[0] == ':') {
        p->at += 2;
        return true;
    }
    if (rest[0] == '=' || rest[0] == '!' || behind)
        return toll_pattern_wrong(p, at, "'(?%.*s' looks around, which patterns do not",
                                  behind ? 2 : 1, rest);
    if (rest[0] == '<' || rest[0] == 'P' || rest[0] == '\'')
        return toll_pattern_wrong(p, at, "groups have no names; write '(' alone");
    if (rest[0] == 'R' || rest[0] == '&' || toll_pattern_is_digit(rest[0]))
        return toll_pattern_wrong(p, at, "'(?%c' is recursion, which patterns do not have",
                                  rest[0]);
    if (rest[0] == '(')
        return toll_pattern_wrong(p, at, "'(?(' is a conditional, which patterns do not have");
    return toll_pattern_wrong(p, at,
                              "'(?' begins what patterns do not have; a group is (...) or (?:...)");
}

static uint32_t read_group(toll_pattern_parser *p);

static uint32_t read_parentheses(toll_pattern_parser *p)
{
    size_t begin = p->at;
    if (!read_group_kind(p))
        return TOLL_PATTERN_NONE;
    if (++p->depth > TOLL_PATTERN_DEPTH) {
        toll_pattern_wrong(p, begin, "groups are nested more than %d deep", TOLL_PATTERN_DEPTH);
        return TOLL_PATTERN_NONE;
    }
    uint32_t group = read_group(p);
    p->depth--;
    if (group != TOLL_PATTERN_NONE && p->text[p->at] != ')') {
        toll_pattern_wrong(p, begin, "'(' is never closed; write \\( for the character");
        return TOLL_PATTERN_NONE;
    }
    p->at++;
    return group;
}

static uint32_t read_set(toll_pattern_parser *p)
{
    toll_char_set set = { 0 };
    const toll_mem *mem = &p->tree->mem;
    uint32_t code = UINT32_MAX;
    bool good;
    if (p->text[p->at] == '\\') {
        good = toll_pattern_read_escape(p, &set, &code);
    } else if (p->text[p->at] == '[') {
        good = toll_pattern_read_brackets(p, &set);
    } else if (p->text[p->at] == '.') {
        p->at++;
        good = toll_char_set_add(&set, mem, 0, TOLL_CHAR_LAST) || toll_pattern_no_memory(p);
    } else {
        code = toll_pattern_take(p);
        good = true;
    }
    if (good && code != UINT32_MAX)
        good = toll_char_set_add(&set, mem, code, code) || toll_pattern_no_memory(p);
    if (good && toll_pattern_is_bounded(p, &set))
        return add_set(p, &set);
    toll_char_set_free(&set, mem);
    return TOLL_PATTERN_NONE;
}

static uint32_t read_part(toll_pattern_parser *p)
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
        toll_pattern_wrong(p, p->at, "there is nothing before '%c' that can be repeated", *text);
        return TOLL_PATTERN_NONE;
    }
    return read_set(p);
}

static uint32_t read_branch(toll_pattern_parser *p)
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

static uint32_t read_group(toll_pattern_parser *p)
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
    toll_pattern_parser p = { .tree = tree, .text = text, .err = err };
    *tree = (toll_pattern_tree){ .mem = *mem };
    if (strlen(text) > TEXT_MOST)
        return toll_fail(err, TOLL_E_LIMIT, "bad pattern '%.200s...': it has more than %d bytes",
                         text, TEXT_MOST);
    read_group(&p);
    if (!p.status && text[p.at] == ')')
        toll_pattern_wrong(&p, p.at, "')' closes nothing; write \\) for the character");
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
