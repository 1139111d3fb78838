/* pattern_program.c - see pattern_program.h. */
#include "base/pattern_program.h"

#include "base/array.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

/* The most instructions. Repetitions are written out: (x{100}){100} has 10,000.
 * */
enum { PROGRAM_MOST = 50000 };

typedef struct compiler {
    toll_pattern_program *program;
    const toll_pattern_tree *tree;
    size_t written;
    toll_status status; /* the first failure */
} compiler;

/* --- instructions ------------------------------------------------------------------------------*/

static bool emit(compiler *c, toll_op op, uint32_t x, uint32_t y)
{
    toll_pattern_program *p = c->program;
    if (p->count == PROGRAM_MOST)
        c->status = TOLL_E_LIMIT;
    else if (!toll_array_grow(&p->mem, &p->code, &p->capacity, p->count, 1))
        c->status = TOLL_E_NOMEM;
    if (c->status)
        return false;
    p->code[p->count++] = (toll_pattern_instruction){ op, x, y };
    return true;
}

static uint32_t here(const compiler *c)
{
    return (uint32_t)c->program->count;
}

static bool emit_repeated(compiler *c, const toll_pattern_node *node);

/* Emit branches. Before each except the last is a split that also leads to the next branch; each
 * except the last ends in a jump. Until the end is known, the x of a jump is the index of the
 * previous jump. */
static bool emit_group(compiler *c, const toll_pattern_node *group)
{
    uint32_t last_jump = TOLL_PATTERN_NONE;
    for (uint32_t b = group->value; b != TOLL_PATTERN_NONE; b = c->tree->nodes[b].next) {
        const toll_pattern_node *branch = &c->tree->nodes[b];
        uint32_t split = here(c);
        bool is_last = branch->next == TOLL_PATTERN_NONE;
        if (!is_last && !emit(c, TOLL_OP_SPLIT, split + 1, 0))
            return false;
        for (uint32_t n = branch->value; n != TOLL_PATTERN_NONE; n = c->tree->nodes[n].next)
            if (!emit_repeated(c, &c->tree->nodes[n]))
                return false;
        if (is_last)
            break;
        if (!emit(c, TOLL_OP_JUMP, last_jump, 0))
            return false;
        last_jump = here(c) - 1;
        c->program->code[split].y = here(c);
    }
    while (last_jump != TOLL_PATTERN_NONE) {
        toll_pattern_instruction *jump = &c->program->code[last_jump];
        last_jump = jump->x;
        jump->x = here(c);
    }
    return true;
}

static bool emit_once(compiler *c, const toll_pattern_node *node)
{
    if (++c->written > PROGRAM_MOST)
        c->status = TOLL_E_LIMIT;
    if (c->status)
        return false;
    if (node->kind == TOLL_NODE_GROUP)
        return emit_group(c, node);
    return emit(c, node->kind == TOLL_NODE_SET ? TOLL_OP_SET : TOLL_OP_EDGE, node->value, 0);
}

/* Emit a node that may repeat any number of times. */
static bool emit_loop(compiler *c, const toll_pattern_node *node)
{
    uint32_t split = here(c);
    if (!emit(c, TOLL_OP_SPLIT, split + 1, 0) || !emit_once(c, node) ||
        !emit(c, TOLL_OP_JUMP, split, 0))
        return false;
    c->program->code[split].y = here(c);
    return true;
}

/* Emit a node that may repeat up to `most` times. Before each is a split that also leads to the
 * end. Until the end is known, the y of a split is the index of the previous split. */
static bool emit_options(compiler *c, const toll_pattern_node *node, uint32_t most)
{
    uint32_t last = TOLL_PATTERN_NONE;
    for (uint32_t i = 0; i < most; i++) {
        uint32_t split = here(c);
        if (!emit(c, TOLL_OP_SPLIT, split + 1, last) || !emit_once(c, node))
            return false;
        last = split;
    }
    while (last != TOLL_PATTERN_NONE) {
        toll_pattern_instruction *split = &c->program->code[last];
        last = split->y;
        split->y = here(c);
    }
    return true;
}

static bool emit_repeated(compiler *c, const toll_pattern_node *node)
{
    for (uint32_t i = 0; i < node->min; i++)
        if (!emit_once(c, node))
            return false;
    return node->max == TOLL_PATTERN_MORE ? emit_loop(c, node)
                                          : emit_options(c, node, node->max - node->min);
}

/* --- classes of characters ---------------------------------------------------------------------*/

static int compare_bounds(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool add_bound(toll_pattern_program *p, uint32_t bound)
{
    if (!toll_array_grow(&p->mem, &p->bounds, &p->bound_capacity, p->bound_count, 1))
        return false;
    p->bounds[p->bound_count++] = bound;
    return true;
}

/* Find all bounds: where a range begins, and where the characters after one begin. */
static bool find_bounds(toll_pattern_program *p, const toll_pattern_tree *tree)
{
    bool good = add_bound(p, 0);
    for (size_t s = 0; s < tree->set_count; s++)
        for (size_t r = 0; good && r < tree->sets[s].count; r++)
            good = add_bound(p, tree->sets[s].ranges[r].first) &&
                   add_bound(p, tree->sets[s].ranges[r].last + 1);
    if (!good)
        return false;
    size_t kept = 1;
    qsort(p->bounds, p->bound_count, sizeof *p->bounds, compare_bounds);
    for (size_t i = 1; i < p->bound_count; i++)
        if (p->bounds[i] != p->bounds[kept - 1])
            p->bounds[kept++] = p->bounds[i];
    p->bound_count = kept;
    return true;
}

uint32_t toll_pattern_class(const toll_pattern_program *p, uint32_t character)
{
    size_t first = 0, end = p->bound_count;
    while (end - first > 1) { /* bounds[first] <= character < bounds[end] */
        size_t middle = first + (end - first) / 2;
        if (p->bounds[middle] <= character)
            first = middle;
        else
            end = middle;
    }
    return p->classes[first];
}

/* Split each class into the intervals in the set and those not in it. `map` has two numbers for
 * each class: the new classes of these. */
static void divide(toll_pattern_program *p, const toll_char_set *set, uint32_t *map)
{
    size_t r = 0;
    memset(map, 0xff, sizeof *map * 2 * p->class_count);
    p->class_count = 0;
    for (size_t i = 0; i < p->bound_count; i++) {
        while (r < set->count && set->ranges[r].last < p->bounds[i])
            r++;
        bool is_in = r < set->count && set->ranges[r].first <= p->bounds[i];
        uint32_t *class = &map[2 * p->classes[i] + is_in];
        if (*class == UINT32_MAX)
            *class = p->class_count++;
        p->classes[i] = *class;
    }
}

static bool find_classes(toll_pattern_program *p, const toll_pattern_tree *tree)
{
    p->classes = toll_mem_new(&p->mem, p->bound_capacity, sizeof *p->classes);
    uint32_t *map = toll_mem_new(&p->mem, 2 * p->bound_count, sizeof *map);
    p->class_count = 1;
    for (size_t s = 0; p->classes && map && s < tree->set_count; s++)
        divide(p, &tree->sets[s], map);
    toll_mem_free(&p->mem, map, 2 * p->bound_count, sizeof *map);
    for (uint32_t c = 0; p->classes && map && c < 128; c++)
        p->ascii[c] = toll_pattern_class(p, c);
    return p->classes && map;
}

/* Find which classes are in which sets. */
static bool find_members(toll_pattern_program *p, const toll_pattern_tree *tree)
{
    p->row_size = p->class_count / 8 + 1;
    p->set_count = tree->set_count;
    p->members = toll_mem_new(&p->mem, p->set_count + 1, p->row_size);
    if (!p->members)
        return false;
    for (size_t s = 0; s < tree->set_count; s++)
        for (size_t r = 0, i = 0; r < tree->sets[s].count; r++) {
            while (p->bounds[i] < tree->sets[s].ranges[r].first)
                i++;
            for (; i < p->bound_count && p->bounds[i] <= tree->sets[s].ranges[r].last; i++) {
                uint32_t class = p->classes[i];
                p->members[s * p->row_size + class / 8] |= (uint8_t)(1U << class % 8);
            }
        }
    return true;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* If the pattern contains \b or \B, add a last set to the tree, with the characters of words. */
static bool add_words(toll_pattern_program *p, toll_pattern_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        p->has_words |=
            tree->nodes[i].kind == TOLL_NODE_EDGE && tree->nodes[i].value >= TOLL_EDGE_WORD;
    if (!p->has_words)
        return true;
    if (!toll_array_grow(&tree->mem, &tree->sets, &tree->set_capacity, tree->set_count, 1))
        return false;
    toll_char_set *words = &tree->sets[tree->set_count++];
    *words = (toll_char_set){ 0 };
    p->word_set = (uint32_t)tree->set_count - 1;
    if (!toll_char_set_add_letter(words, &tree->mem, 'w'))
        return false;
    toll_char_set_sort(words);
    return true;
}

static toll_status compile(compiler *c, toll_pattern_tree *tree)
{
    toll_pattern_program *p = c->program;
    if (!emit_once(c, &tree->nodes[0]) || !emit(c, TOLL_OP_MATCH, 0, 0))
        return c->status;
    bool good = add_words(p, tree) && find_bounds(p, tree) && find_classes(p, tree) &&
                find_members(p, tree);
    return good ? TOLL_OK : TOLL_E_NOMEM;
}

toll_status toll_pattern_compile(toll_pattern_program *program, const toll_mem *mem,
                                 const char *text, toll_error *err)
{
    toll_pattern_tree tree;
    *program = (toll_pattern_program){ .mem = *mem };
    toll_status status = toll_pattern_tree_parse(&tree, mem, text, err);
    if (!status) {
        compiler c = { .program = program, .tree = &tree };
        status = compile(&c, &tree);
        if (status == TOLL_E_NOMEM)
            toll_fail_nomem(err);
        else if (status)
            toll_fail(err, status,
                      "bad pattern '%.200s': with its repeats written out it has more than %d "
                      "parts; repeat less",
                      text, PROGRAM_MOST);
    }
    toll_pattern_tree_free(&tree);
    return status;
}

void toll_pattern_program_free(toll_pattern_program *p)
{
    toll_mem_free(&p->mem, p->code, p->capacity, sizeof *p->code);
    toll_mem_free(&p->mem, p->classes, p->bound_capacity, sizeof *p->classes);
    toll_mem_free(&p->mem, p->bounds, p->bound_capacity, sizeof *p->bounds);
    toll_mem_free(&p->mem, p->members, p->set_count + 1, p->row_size);
}
