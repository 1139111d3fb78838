/* supcom_tree.c - builds a tree from the stacks of a log. See supcom.h.
 *
 * Speed: the whole text of an inner frame is looked up once (one hash, one comparison); its id and
 * the current node lead to the next node. A text is parsed only when it is new. */
#include "base/array.h"
#include "base/text.h"
#include "supcom/supcom.h"

#include <string.h>

static uint64_t key_of(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static bool too_many(toll_supcom_tree *t, const char *what)
{
    toll_failure *f = t->failure;
    return toll_ok(f, toll_fail(f->err, TOLL_E_LIMIT, "more than %u %s", SUPCOM_IS_CALL, what));
}

static bool add_node(toll_supcom_tree *t, uint32_t parent, uint32_t frame, uint32_t *out)
{
    if (t->node_count >= SUPCOM_IS_CALL)
        return too_many(t, "stacks");
    if (!toll_array_grow(&t->mem, &t->nodes, &t->node_capacity, t->node_count, 1))
        return toll_no_memory(t->failure);
    *out = (uint32_t)t->node_count;
    if (*out && !toll_u64map_add(&t->children, key_of(parent, frame), *out))
        return toll_no_memory(t->failure);
    t->nodes[t->node_count++] = (toll_supcom_node){ .parent = parent, .frame = frame };
    return true;
}

bool toll_supcom_tree_init(toll_supcom_tree *t, const toll_mem *mem, bool call_lines,
                           toll_failure *failure)
{
    uint32_t root;
    *t = (toll_supcom_tree){ .mem = *mem, .failure = failure, .call_lines = call_lines };
    toll_strtab_init(&t->functions, mem);
    toll_strtab_init(&t->texts, mem);
    toll_u64map_init(&t->call_ids, mem);
    toll_u64map_init(&t->children, mem);
    toll_u64map_init(&t->shortcuts, mem);
    return add_node(t, 0, TOLL_NONE, &root);
}

void toll_supcom_tree_free(toll_supcom_tree *t)
{
    toll_strtab_free(&t->functions);
    toll_strtab_free(&t->texts);
    toll_mem_free(&t->mem, t->steps, t->step_capacity, sizeof *t->steps);
    toll_mem_free(&t->mem, t->calls, t->call_capacity, sizeof *t->calls);
    toll_u64map_free(&t->call_ids);
    toll_u64map_free(&t->children);
    toll_u64map_free(&t->shortcuts);
    toll_mem_free(&t->mem, t->nodes, t->node_capacity, sizeof *t->nodes);
}

static bool child_of(toll_supcom_tree *t, uint32_t parent, uint32_t frame, uint32_t *out)
{
    *out = toll_u64map_find(&t->children, key_of(parent, frame));
    return *out != TOLL_NONE || add_node(t, parent, frame, out);
}

/* --- frames ------------------------------------------------------------------------------------*/

static bool function_of(toll_supcom_tree *t, const char *text, size_t size, uint32_t *out)
{
    *out = toll_strtab_add(&t->functions, text, size);
    if (*out == UINT32_MAX)
        return toll_no_memory(t->failure);
    return *out < SUPCOM_IS_CALL || too_many(t, "functions");
}

static bool call_of(toll_supcom_tree *t, uint32_t function, int32_t line, uint32_t *out)
{
    uint64_t key = key_of(function, (uint32_t)line);
    *out = toll_u64map_find(&t->call_ids, key);
    if (*out == TOLL_NONE) {
        if (t->call_count >= SUPCOM_IS_CALL - 1)
            return too_many(t, "lines of calls");
        *out = (uint32_t)t->call_count;
        if (!toll_array_grow(&t->mem, &t->calls, &t->call_capacity, t->call_count, 1) ||
            !toll_u64map_add(&t->call_ids, key, *out))
            return toll_no_memory(t->failure);
        t->calls[t->call_count++] = (toll_supcom_call){ function, line };
    }
    *out |= SUPCOM_IS_CALL;
    return true;
}

/* Parse a new inner frame, and store its frames. False: it is not a frame, or a failure. */
static bool learn(toll_supcom_tree *t, const char *text, size_t size, uint32_t *id)
{
    toll_supcom_frame frame;
    toll_supcom_step step = { 0, TOLL_NONE };
    if (!toll_supcom_frame_of(text, size, &frame) ||
        !function_of(t, text, frame.size_without_current, &step.function))
        return false;
    if (t->call_lines && frame.current != SUPCOM_NO_LINE &&
        !call_of(t, step.function, frame.current, &step.call))
        return false;
    if (!toll_array_grow(&t->mem, &t->steps, &t->step_capacity, t->texts.count, 2))
        return toll_no_memory(t->failure);
    *id = toll_strtab_add(&t->texts, text, size);
    if (*id == UINT32_MAX)
        return toll_no_memory(t->failure);
    t->steps[*id] = step;
    return true;
}

/* Move *node to the descendant that an inner frame leads to. False: it is not a frame, or a
 * failure. */
static bool enter(toll_supcom_tree *t, const char *text, size_t size, uint32_t *node)
{
    uint32_t id = toll_strtab_find(&t->texts, text, size), to;
    if ((id == UINT32_MAX || id == 0) && !learn(t, text, size, &id))
        return false;
    uint64_t key = key_of(*node, id);
    to = toll_u64map_find(&t->shortcuts, key);
    if (to == TOLL_NONE) {
        toll_supcom_step step = t->steps[id];
        if (!child_of(t, *node, step.function, &to) ||
            (step.call != TOLL_NONE && !child_of(t, to, step.call, &to)))
            return false;
        if (!toll_u64map_add(&t->shortcuts, key, to))
            return toll_no_memory(t->failure);
    }
    *node = to;
    return true;
}

/* Move *node to its child for the innermost frame. Its CURRENTLINE does not distinguish stacks. */
static bool enter_innermost(toll_supcom_tree *t, const char *text, size_t size, uint32_t *node)
{
    toll_supcom_frame frame;
    uint32_t function;
    return toll_supcom_frame_of(text, size, &frame) &&
           function_of(t, text, frame.size_without_current, &function) &&
           child_of(t, *node, function, node);
}

/* --- stacks ------------------------------------------------------------------------------------*/

bool toll_supcom_add_values(toll_supcom_node *node, const toll_supcom_values *values)
{
    int64_t calls, total;
    if (!toll_i64_add(node->calls, values->calls, &calls) ||
        !toll_i64_add(node->total_ns, values->time_ns, &total))
        return false;
    node->calls = calls;
    node->total_ns = total;
    node->seen |= values->seen;
    node->has_line = true;
    return true;
}

static bool ends_a_frame(const char *text, const char *end)
{
    toll_supcom_frame frame;
    return toll_supcom_frame_of(text, (size_t)(end - text), &frame);
}

/* A piece between two ';' may not be a frame, if a source contains a ';'. The source then continues
 * up to the next piece that looks like the end of a frame. */
bool toll_supcom_tree_enter(toll_supcom_tree *t, const char *text, size_t size, uint32_t *node)
{
    const char *end = text + size, *start = text, *piece = text, *stop;
    bool joined = false;
    *node = 0;
    for (; (stop = memchr(piece, ';', (size_t)(end - piece))) != NULL; piece = stop + 1) {
        if ((piece == start || ends_a_frame(piece, stop)) &&
            enter(t, start, (size_t)(stop - start), node))
            start = stop + 1;
        else
            joined = true;
        if (t->failure->status)
            return false;
    }
    if ((piece != start && !ends_a_frame(piece, end)) ||
        !enter_innermost(t, start, (size_t)(end - start), node))
        return false;
    t->joined += joined;
    return true;
}
