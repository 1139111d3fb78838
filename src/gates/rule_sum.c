/* rule_sum.c - see rule_sum.h. */
#include "gates/rule_sum.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/rule_names.h"
#include "profile/order.h"

#include <string.h>

bool toll_rule_counts_itself(const char *column)
{
    return strcmp(column, "calls") == 0 || strcmp(column, "executions") == 0 ||
           strcmp(column, "block executions") == 0;
}

/* Marks of a node: a function on its stack matches; its own does; the root does. */
enum { INSIDE = 1, ITSELF = 2, IN_ROOT = 4 };

typedef struct summing {
    const toll_rule *rule;
    const toll_profile *profile;
    uint32_t column;
    const uint32_t *places;
    int sign;
    bool *functions, *roots; /* by frame */
    bool *threads;           /* by thread: IN_ROOT */
    uint8_t *marks;          /* by node */
    toll_rule_sum *out;
    bool only_itself, overflow;
} summing;

/* --- the stacks with most of it ----------------------------------------------------------------*/

static bool is_before(const summing *s, toll_node_id a, toll_node_id b)
{
    int64_t x = toll_profile_self(s->profile, a, s->column);
    int64_t y = toll_profile_self(s->profile, b, s->column);
    if (x != y)
        return s->sign > 0 ? x > y : x < y;
    return s->places[a] < s->places[b];
}

static void keep_stack(summing *s, toll_node_id node)
{
    toll_rule_sum *out = s->out;
    int64_t self = toll_profile_self(s->profile, node, s->column);
    if (self == 0 || (self > 0) != (s->sign > 0))
        return;
    uint32_t i = out->stack_count;
    if (i == TOLL_RULE_STACKS && !is_before(s, node, out->stacks[--i]))
        return;
    for (; i && is_before(s, node, out->stacks[i - 1]); i--)
        out->stacks[i] = out->stacks[i - 1];
    out->stacks[i] = node;
    out->stack_count += out->stack_count < TOLL_RULE_STACKS;
}

/* --- adding up ---------------------------------------------------------------------------------*/

static uint8_t marks_of(const summing *s, toll_node_id parent, toll_frame_id frame)
{
    uint8_t m = s->marks[parent] & (INSIDE | IN_ROOT);
    bool is_outermost = toll_profile_node_frame(s->profile, parent) == TOLL_NONE;
    if (s->functions[frame])
        m |= INSIDE | ITSELF;
    if (is_outermost && s->roots[frame])
        m |= IN_ROOT;
    return m;
}

static void note_function(summing *s, toll_frame_id frame)
{
    toll_rule_sum *out = s->out;
    if (frame == TOLL_NONE)
        return;
    if (!out->is_matched) {
        out->frame = frame;
    } else if (out->frame != TOLL_NONE && out->frame != frame) {
        toll_frame a = toll_profile_frame(s->profile, out->frame);
        toll_frame b = toll_profile_frame(s->profile, frame);
        if (strcmp(a.name, b.name) != 0 || strcmp(a.file, b.file) != 0 || a.line != b.line)
            out->frame = TOLL_NONE;
    }
}

static void add_node(summing *s, toll_node_id node, toll_frame_id frame)
{
    uint8_t m = s->marks[node];
    if (!(m & IN_ROOT))
        return;
    if (m & ITSELF) {
        note_function(s, frame);
        s->out->is_matched = true;
    }
    if (!(m & (s->only_itself ? ITSELF : INSIDE)))
        return;
    int64_t self = toll_profile_self(s->profile, node, s->column);
    s->overflow |= !toll_i64_add(s->out->value, self, &s->out->value);
    if (s->places)
        keep_stack(s, node);
}

/* A parent's id is below its children's: one pass. A rule about everything is about roots, too. */
static void add_nodes(summing *s)
{
    const toll_profile *p = s->profile;
    bool all = s->rule->names.kind == TOLL_NAMES_ALL;
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++)
        s->marks[toll_profile_root(p, t)] =
            (uint8_t)((all ? INSIDE | ITSELF : 0) | (s->threads[t] ? IN_ROOT : 0));
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame != TOLL_NONE)
            s->marks[n] = marks_of(s, toll_profile_parent(p, n), frame);
        add_node(s, n, frame);
    }
    if (all)
        s->out->frame = TOLL_NONE;
}

static toll_status mark_names(summing *s, const toll_rules *rules, toll_error *err)
{
    const toll_names *roots = s->rule->has_root ? &s->rule->roots : NULL;
    toll_status status =
        toll_names_mark(rules, s->rule, &s->rule->names, s->profile, s->functions, NULL, err);
    if (!status && roots)
        status = toll_names_mark(rules, s->rule, roots, s->profile, s->roots, s->threads, err);
    for (uint32_t t = 0; !roots && t < toll_profile_thread_count(s->profile); t++)
        s->threads[t] = true;
    return status;
}

toll_status toll_rule_sum_up(const toll_rules *rules, const toll_rule *rule, const toll_profile *p,
                             uint32_t column, const uint32_t *places, int sign, toll_rule_sum *out,
                             toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    size_t frames = (size_t)toll_profile_frame_count(p) + 1;
    size_t threads = (size_t)toll_profile_thread_count(p) + 1;
    size_t nodes = (size_t)toll_profile_node_count(p) + 1;
    *out = (toll_rule_sum){ .frame = TOLL_NONE };
    summing s = {
        .rule = rule, .profile = p, .column = column, .places = places, .sign = sign, .out = out
    };
    s.only_itself = rule->is_self || toll_rule_counts_itself(toll_rules_text(rules, rule->column));
    s.functions = toll_mem_new(mem, frames, sizeof *s.functions);
    s.roots = toll_mem_new(mem, frames, sizeof *s.roots);
    s.threads = toll_mem_new(mem, threads, sizeof *s.threads);
    s.marks = toll_mem_new(mem, nodes, sizeof *s.marks);
    toll_status status =
        s.functions && s.roots && s.threads && s.marks ? TOLL_OK : toll_fail_nomem(err);
    if (!status)
        status = mark_names(&s, rules, err);
    if (!status)
        add_nodes(&s);
    if (!status && s.overflow)
        status = toll_fail_rule(rules, rule->line, 0, err, TOLL_E_OVERFLOW,
                                "the sum does not fit 64 bits");
    toll_mem_free(mem, s.functions, frames, sizeof *s.functions);
    toll_mem_free(mem, s.roots, frames, sizeof *s.roots);
    toll_mem_free(mem, s.threads, threads, sizeof *s.threads);
    toll_mem_free(mem, s.marks, nodes, sizeof *s.marks);
    return status;
}

toll_status toll_rule_places(const toll_profile *p, uint32_t **out, toll_error *err)
{
    toll_order order;
    uint32_t next = 0;
    *out = toll_mem_new(toll_profile_mem(p), (size_t)toll_profile_node_count(p) + 1, sizeof **out);
    if (!*out)
        return toll_fail_nomem(err);
    toll_status status = toll_order_create(&order, p, err);
    if (status) {
        toll_mem_free(toll_profile_mem(p), *out, (size_t)toll_profile_node_count(p) + 1,
                      sizeof **out);
        *out = NULL;
        return status;
    }
    for (uint32_t t = 0; t < order.thread_count; t++) {
        toll_walk walk = toll_walk_begin(&order, toll_profile_root(p, order.threads[t]));
        while (toll_walk_next(&walk))
            if (walk.entering)
                (*out)[walk.node] = next++;
    }
    toll_order_free(&order);
    return TOLL_OK;
}
