/* supcom_tree.c - the stacks of a log as a tree. See supcom.h.
 *
 * Speed: the whole text of an inner frame is looked up once (one hash, one comparison); its id and
 * the current node lead to the next node. The text is parsed only when it is new. */
#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "supcom/supcom.h"

#include <string.h>

static uint64_t key_of(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static toll_status add_node(toll_supcom_tree *t, uint32_t parent, uint32_t frame, uint32_t *out,
                            toll_error *err)
{
    if (t->node_count >= SUPCOM_IS_CALL)
        return toll_fail(err, TOLL_E_LIMIT, "more than %u stacks", SUPCOM_IS_CALL);
    if (!toll_array_grow(&t->mem, &t->nodes, &t->node_capacity, t->node_count, 1))
        return toll_fail_nomem(err);
    *out = (uint32_t)t->node_count;
    if (*out && !toll_u64map_add(&t->children, key_of(parent, frame), *out))
        return toll_fail_nomem(err);
    t->nodes[t->node_count++] = (toll_supcom_node){ .parent = parent, .frame = frame };
    return TOLL_OK;
}

toll_status toll_supcom_tree_init(toll_supcom_tree *t, const toll_mem *mem, bool call_lines,
                                  toll_error *err)
{
    uint32_t root;
    *t = (toll_supcom_tree){ .mem = *mem, .call_lines = call_lines };
    toll_strtab_init(&t->functions, mem);
    toll_strtab_init(&t->texts, mem);
    toll_u64map_init(&t->call_ids, mem);
    toll_u64map_init(&t->children, mem);
    toll_u64map_init(&t->shortcuts, mem);
    return add_node(t, 0, TOLL_NONE, &root, err);
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

static toll_status child_of(toll_supcom_tree *t, uint32_t parent, uint32_t frame, uint32_t *out,
                            toll_error *err)
{
    *out = toll_u64map_find(&t->children, key_of(parent, frame));
    return *out != TOLL_NONE ? TOLL_OK : add_node(t, parent, frame, out, err);
}

/* --- frames ------------------------------------------------------------------------------------*/

static toll_status function_of(toll_supcom_tree *t, const char *text, size_t size, uint32_t *out,
                               toll_error *err)
{
    *out = toll_strtab_add(&t->functions, text, size);
    if (*out == UINT32_MAX)
        return toll_fail_nomem(err);
    if (*out >= SUPCOM_IS_CALL)
        return toll_fail(err, TOLL_E_LIMIT, "more than %u functions", SUPCOM_IS_CALL);
    return TOLL_OK;
}

static toll_status call_of(toll_supcom_tree *t, uint32_t function, int32_t line, uint32_t *out,
                           toll_error *err)
{
    uint64_t key = key_of(function, (uint32_t)line);
    *out = toll_u64map_find(&t->call_ids, key);
    if (*out == TOLL_NONE) {
        if (t->call_count >= SUPCOM_IS_CALL - 1)
            return toll_fail(err, TOLL_E_LIMIT, "more than %u lines of calls", SUPCOM_IS_CALL);
        *out = (uint32_t)t->call_count;
        if (!toll_array_grow(&t->mem, &t->calls, &t->call_capacity, t->call_count, 1))
            return toll_fail_nomem(err);
        if (!toll_u64map_add(&t->call_ids, key, *out))
            return toll_fail_nomem(err);
        t->calls[t->call_count++] = (toll_supcom_call){ function, line };
    }
    *out |= SUPCOM_IS_CALL;
    return TOLL_OK;
}

/* Parse an inner frame that is new, and store its frames. */
static toll_status learn(toll_supcom_tree *t, const char *text, size_t size, uint32_t *id,
                         toll_error *err)
{
    toll_supcom_frame frame;
    toll_supcom_step step = { 0, TOLL_NONE };
    if (!toll_supcom_frame_of(text, size, &frame))
        return TOLL_E_SYNTAX;
    toll_status status = function_of(t, text, frame.size_without_current, &step.function, err);
    if (!status && t->call_lines && frame.current != SUPCOM_NO_LINE)
        status = call_of(t, step.function, frame.current, &step.call, err);
    if (status)
        return status;
    if (!toll_array_grow(&t->mem, &t->steps, &t->step_capacity, t->texts.count, 2))
        return toll_fail_nomem(err);
    *id = toll_strtab_add(&t->texts, text, size);
    if (*id == UINT32_MAX)
        return toll_fail_nomem(err);
    t->steps[*id] = step;
    return TOLL_OK;
}

/* Move *node to its descendant for an inner frame. */
static toll_status enter(toll_supcom_tree *t, const char *text, size_t size, uint32_t *node,
                         toll_error *err)
{
    uint32_t id = toll_strtab_find(&t->texts, text, size), to;
    toll_status status = TOLL_OK;
    if (id == UINT32_MAX || id == 0)
        status = learn(t, text, size, &id, err);
    if (status)
        return status;
    uint64_t key = key_of(*node, id);
    to = toll_u64map_find(&t->shortcuts, key);
    if (to == TOLL_NONE) {
        toll_supcom_step step = t->steps[id];
        status = child_of(t, *node, step.function, &to, err);
        if (!status && step.call != TOLL_NONE)
            status = child_of(t, to, step.call, &to, err);
        if (!status && !toll_u64map_add(&t->shortcuts, key, to))
            status = toll_fail_nomem(err);
    }
    if (!status)
        *node = to;
    return status;
}

/* --- stacks ------------------------------------------------------------------------------------*/

static toll_status add_values(toll_supcom_node *node, const toll_supcom_values *values)
{
    int64_t calls, total;
    if (!toll_i64_add(node->calls, values->calls, &calls) ||
        !toll_i64_add(node->total_ns, values->time_ns, &total))
        return TOLL_E_OVERFLOW;
    node->calls = calls;
    node->total_ns = total;
    node->seen |= values->seen;
    node->has_line = true;
    return TOLL_OK;
}

/* Move to the innermost frame. Its CURRENTLINE does not distinguish stacks. */
static toll_status add_innermost(toll_supcom_tree *t, const char *text, size_t size, uint32_t node,
                                 const toll_supcom_values *values, toll_error *err)
{
    toll_supcom_frame frame;
    uint32_t function;
    if (!toll_supcom_frame_of(text, size, &frame))
        return TOLL_E_SYNTAX;
    toll_status status = function_of(t, text, frame.size_without_current, &function, err);
    if (!status)
        status = child_of(t, node, function, &node, err);
    return status ? status : add_values(&t->nodes[node], values);
}

static bool ends_a_frame(const char *text, const char *end)
{
    toll_supcom_frame frame;
    return toll_supcom_frame_of(text, (size_t)(end - text), &frame);
}

/* A piece between two ';' that is not a frame is part of a source that contains a ';', which
 * continues up to the next piece that looks like the end of a frame. */
toll_status toll_supcom_tree_add(toll_supcom_tree *t, const char *text, size_t size,
                                 const toll_supcom_values *values, toll_error *err)
{
    const char *end = text + size, *start = text, *piece = text, *stop;
    uint32_t node = 0;
    bool joined = false;
    for (; (stop = memchr(piece, ';', (size_t)(end - piece))) != NULL; piece = stop + 1) {
        toll_status status = TOLL_E_SYNTAX;
        if (piece == start || ends_a_frame(piece, stop))
            status = enter(t, start, (size_t)(stop - start), &node, err);
        if (status && status != TOLL_E_SYNTAX)
            return status;
        if (status)
            joined = true;
        else
            start = stop + 1;
    }
    if (piece != start && !ends_a_frame(piece, end))
        return TOLL_E_SYNTAX;
    toll_status status = add_innermost(t, start, (size_t)(end - start), node, values, err);
    t->joined += !status && joined;
    return status;
}
