/* test_rules_random.c - the values and stacks of budgets, found in one walk for all rules, compared
 * with a model that examines each stack for each rule. */
#include "support_profile.h"
#include "support_rules.h"

#include "gates/rules_check.h"

#include <inttypes.h>

enum { ROUNDS = 400, MOST_RULES = 40 };

static uint64_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

/* --- a profile and a budget --------------------------------------------------------------------*/

static const char *const names[] = { "a", "ab", "b", "b", "bc", "c", "abc", "t" };
enum { FRAMES = sizeof names / sizeof *names };

static toll_profile *make_profile(void)
{
    static const char *const threads[] = { "", "t", "ab" };
    static const toll_thread_label labels[][2] = { { { "k", "1" }, { "l", "1" } },
                                                   { { "k", "2" }, { "l", "" } },
                                                   { { "k", "1" }, { "k", "2" } } };
    toll_profile *p = empty_with(NULL, (const char *const[]){ "calls", "ticks" }, 2);
    for (uint32_t i = 0; i < FRAMES; i++) /* two of a name and line, which differ in their kind */
        assert_ok(toll_profile_add_frame(
            p, &(toll_frame){ .name = names[i], .file = "f", .line = 1 + i / 4, .kind = i % 3 },
            NULL, err));
    for (uint32_t i = 0; i < 3; i++)
        assert_ok(toll_profile_add_labelled_thread(p, threads[i], labels[i], 2, NULL, err));
    for (uint32_t i = 1 + below(60); i > 0; i--) {
        toll_node_id node = below(toll_profile_node_count(p));
        if (below(4))
            assert_ok(toll_profile_add_child(p, node, below(FRAMES), &node, err));
        assert_ok(
            toll_profile_add_self(p, node, below(2), (int64_t)below(5) - (int64_t)below(2), err));
    }
    return p;
}

/* Names in rules, and which of the names above they mean. */
static const struct meant {
    const char *text, *names[5];
} meant[] = {
    { "a", { "a" } },
    { "b", { "b" } },
    { "t", { "t" } },
    { "ab", { "ab" } },
    { "a*", { "a", "ab", "abc" } },
    { "*b*", { "ab", "b", "bc", "abc" } },
    { "*c", { "bc", "c", "abc" } },
    { "none", { NULL } },
    { "*", { NULL } }, /* all */
};
enum { MEANT = sizeof meant / sizeof *meant, ALL = MEANT - 1 };

/* Labels in rules, and which of the threads above have them. */
static const struct chosen {
    const char *text;
    bool threads[3];
} chosen[] = {
    { "", { true, true, true } },
    { "  where k=1", { true, false, true } },
    { "  where k=2", { false, true, true } },
    { "  where k=1,k=2", { true, true, true } },
    { "  where k=2  where l=1", { false, false, false } },
    { "  where l=1,k=1", { true, false, false } },
    { "  where k=3", { false, false, false } },
};
enum { CHOSEN = sizeof chosen / sizeof *chosen };

typedef struct model_rule {
    uint32_t column, names, roots, labels; /* roots: MEANT: any */
    bool is_self;
} model_rule;

static void make_rule(model_rule *r, char *text, size_t size)
{
    *r = (model_rule){ below(2), below(MEANT), below(2) ? MEANT : below(MEANT),
                       below(2) ? 0 : below(CHOSEN), below(3) == 0 };
    snprintf(text, size, "%s  %s%s%s%s%s  >= 0\n", r->column ? "ticks" : "calls",
             r->is_self ? "self " : "", meant[r->names].text, r->roots < MEANT ? "  in " : "",
             r->roots < MEANT ? meant[r->roots].text : "", chosen[r->labels].text);
}

/* --- the model ---------------------------------------------------------------------------------*/

static bool is_meant(uint32_t which, const char *name)
{
    for (uint32_t i = 0; which != ALL && i < 5 && meant[which].names[i]; i++)
        if (strcmp(meant[which].names[i], name) == 0)
            return true;
    return which == ALL;
}

static const char *frame_name(const toll_profile *p, toll_node_id node)
{
    return toll_profile_frame(p, toll_profile_node_frame(p, node)).name;
}

static bool is_function_of(const model_rule *r, const toll_profile *p, toll_node_id node)
{
    bool is_root = toll_profile_node_frame(p, node) == TOLL_NONE;
    return r->names == ALL || (!is_root && is_meant(r->names, frame_name(p, node)));
}

static bool is_in_root(const model_rule *r, const toll_profile *p, toll_thread_id thread,
                       toll_node_id node)
{
    toll_node_id root = toll_profile_root(p, thread);
    if (r->roots == MEANT || is_meant(r->roots, toll_profile_thread_name(p, thread)))
        return true;
    while (node != root && toll_profile_parent(p, node) != root)
        node = toll_profile_parent(p, node);
    return node != root && is_meant(r->roots, frame_name(p, node));
}

/* Is the rule about the node's stack? */
static bool is_about(const model_rule *r, const toll_profile *p, toll_node_id node)
{
    bool only_itself = r->is_self || r->column == 0;
    bool is = is_function_of(r, p, node);
    while (!is && !only_itself && toll_profile_node_frame(p, node) != TOLL_NONE) {
        node = toll_profile_parent(p, node);
        is = is_function_of(r, p, node);
    }
    return is;
}

static void keep_frame(const toll_profile *p, toll_frame_id id, toll_rule_sum *out)
{
    toll_frame f = toll_profile_frame(p, id), g = toll_profile_frame(p, out->frame);
    if (!out->is_matched)
        out->frame = id;
    else if (out->frame != TOLL_NONE && (strcmp(f.name, g.name) != 0 || f.line != g.line))
        out->frame = TOLL_NONE;
}

/* Insert the node behind those with as much or more. */
static void keep_stack(const toll_profile *p, const model_rule *r, int sign, toll_node_id node,
                       toll_rule_sum *out)
{
    int64_t self = sign * toll_profile_self(p, node, r->column);
    uint32_t at = 0;
    while (at < out->stack_count && sign * toll_profile_self(p, out->stacks[at], r->column) >= self)
        at++;
    if (self <= 0 || at == TOLL_RULE_STACKS)
        return;
    out->stack_count += out->stack_count < TOLL_RULE_STACKS;
    for (uint32_t i = out->stack_count - 1; i > at; i--)
        out->stacks[i] = out->stacks[i - 1];
    out->stacks[at] = node;
}

static toll_rule_sum sum_of(const toll_profile *p, const toll_order *order, const model_rule *r,
                            int sign)
{
    toll_rule_sum out = { .frame = TOLL_NONE };
    for (uint32_t t = 0; t < order->thread_count; t++) {
        toll_walk w = toll_walk_begin(order, toll_profile_root(p, order->threads[t]));
        while (toll_walk_next(&w)) {
            if (!w.entering || !chosen[r->labels].threads[order->threads[t]] ||
                !is_in_root(r, p, order->threads[t], w.node))
                continue;
            if (is_function_of(r, p, w.node)) {
                if (r->names != ALL)
                    keep_frame(p, toll_profile_node_frame(p, w.node), &out);
                out.is_matched = true;
            }
            if (!is_about(r, p, w.node))
                continue;
            out.value += toll_profile_self(p, w.node, r->column);
            if (sign)
                keep_stack(p, r, sign, w.node, &out);
        }
    }
    return out;
}

/* --- beside it ---------------------------------------------------------------------------------*/

static void assert_equal_sums(const toll_profile *p, const toll_rule_sum *got,
                              const toll_rule_sum *expected, const char *rule)
{
    bool is_equal = got->is_matched == expected->is_matched && got->value == expected->value &&
                    (got->frame == TOLL_NONE) == (expected->frame == TOLL_NONE) &&
                    got->stack_count == expected->stack_count;
    for (uint32_t i = 0; is_equal && i < got->stack_count; i++)
        is_equal = got->stacks[i] == expected->stacks[i];
    if (is_equal && got->frame != TOLL_NONE)
        is_equal =
            strcmp(toll_profile_frame(p, got->frame).name,
                   toll_profile_frame(p, expected->frame).name) == 0 &&
            toll_profile_frame(p, got->frame).line == toll_profile_frame(p, expected->frame).line;
    if (!is_equal)
        fail_msg("%s: %" PRId64 " of %u stacks, expected %" PRId64 " of %u, in %s", rule,
                 got->value, got->stack_count, expected->value, expected->stack_count, dump(p));
}

static void compare_one_round(void)
{
    toll_profile *p = make_profile();
    model_rule model[MOST_RULES];
    toll_rule_question questions[MOST_RULES];
    toll_rule_sum sums[MOST_RULES];
    char lines[MOST_RULES][80], text[MOST_RULES * 80] = "";
    uint32_t count = 1 + below(MOST_RULES);
    for (uint32_t i = 0; i < count; i++) {
        make_rule(&model[i], lines[i], sizeof lines[i]);
        strcat(text, lines[i]);
        bool is_asked = below(8) > 0;
        questions[i] = (toll_rule_question){ .column = is_asked ? model[i].column : TOLL_NONE,
                                             .stacks = (int)below(3) - 1 };
    }
    toll_rules rules;
    toll_order order;
    assert_ok(read_rules(NULL, text, &rules, err));
    assert_int_equal(rules.count, count);
    assert_ok(toll_rules_sum_up(&rules, p, questions, sums, err));
    assert_ok(toll_order_create(&order, p, err));
    for (uint32_t i = 0; i < count; i++) {
        toll_rule_sum expected = { .frame = TOLL_NONE };
        if (questions[i].column != TOLL_NONE)
            expected = sum_of(p, &order, &model[i], questions[i].stacks);
        assert_equal_sums(p, &sums[i], &expected, lines[i]);
    }
    toll_order_free(&order);
    toll_rules_free(&rules);
    toll_profile_free(p);
}

static void test_rules_one_walk_finds_what_each_rule_alone_would(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++)
        compare_one_round();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_one_walk_finds_what_each_rule_alone_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
