/* test_embed_budget.c - budgets of remaining gas, of which callees get a part, give the exact cost
 * of each call. A model machine forwards and returns gas at random, and counts what each function
 * spends. The profile by toll_embed_budget, and the one by a counter of spent gas, must equal these
 * counts. */
#include "support_embed.h"

enum { FUNCTIONS = 4, DEPTH = 6, STEPS = 4000 };

/* A budget of its own for each call, as gas has it. */
typedef struct context {
    uint64_t gas; /* what remains */
    int function;
} context;

typedef struct machine {
    context stack[DEPTH + 1];
    int depth;
    uint64_t spent; /* by all */
    uint64_t by_function[FUNCTIONS];
    test_function functions[FUNCTIONS];
    toll_embed *e;
    bool by_budget;    /* the counter is what remains; else it is `spent` */
    bool budget_first; /* the budget is set before the call or return; else after it */
    uint64_t random;
} machine;

static uint64_t below(machine *m, uint64_t limit)
{
    m->random = m->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (m->random >> 33) % limit;
}

static void set_budget(machine *m, uint64_t last)
{
    if (m->by_budget)
        toll_embed_budget(m->e, last, &m->stack[m->depth].gas);
}

static void spend(machine *m, uint64_t units)
{
    context *c = &m->stack[m->depth];
    units = units < c->gas ? units : c->gas;
    c->gas -= units;
    m->spent += units;
    m->by_function[c->function] += units;
}

static void call(machine *m, int function)
{
    uint64_t left = m->stack[m->depth].gas, forwarded = below(m, left + 1);
    if (!m->budget_first)
        test_call(m->e, &m->functions[function]);
    m->stack[m->depth].gas -= forwarded;
    m->depth++;
    m->stack[m->depth] = (context){ forwarded, function };
    set_budget(m, left);
    if (m->budget_first)
        test_call(m->e, &m->functions[function]);
}

static void leave(machine *m)
{
    uint64_t left = m->stack[m->depth].gas;
    if (!m->budget_first)
        toll_embed_return(m->e);
    m->depth--;
    m->stack[m->depth].gas += left;
    set_budget(m, left);
    if (m->budget_first)
        toll_embed_return(m->e);
}

/* A new transaction: the innermost call gets a fresh budget. */
static void renew(machine *m)
{
    uint64_t left = m->stack[m->depth].gas;
    m->stack[m->depth].gas += 100000;
    set_budget(m, left);
}

static void run(machine *m)
{
    static const char *const names[FUNCTIONS] = { "a", "b", "c", "d" };
    for (int i = 0; i < FUNCTIONS; i++)
        m->functions[i].name = names[i];
    m->stack[0].gas = 100000;
    test_call(m->e, &m->functions[0]);
    for (int i = 0; i < STEPS; i++) {
        uint64_t what = below(m, 100);
        spend(m, below(m, 50));
        if (what < 40 && m->depth < DEPTH)
            call(m, (int)below(m, FUNCTIONS));
        else if (what < 80 && m->depth > 0)
            leave(m);
        else if (what == 99)
            renew(m);
    }
}

/* What a function spent, in all stacks. */
static int64_t self_of(const toll_profile *p, const char *name)
{
    int64_t sum = 0;
    uint32_t column = toll_profile_find_column(p, "gas");
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++) {
        toll_frame_id frame = toll_profile_node_frame(p, i);
        if (frame != TOLL_NONE && strcmp(toll_profile_frame(p, frame).name, name) == 0)
            sum += toll_profile_self(p, i, column);
    }
    return sum;
}

static void check(machine *m, const char *path)
{
    assert_ok(toll_embed_end(m->e, err));
    toll_profile *p = test_load(path);
    for (int i = 0; i < FUNCTIONS; i++)
        assert_int_equal(self_of(p, m->functions[i].name), m->by_function[i]);
    assert_int_equal(test_sum(p, toll_profile_find_column(p, "gas")), m->spent);
    assert_true(m->spent > 10000);
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

static void record(bool by_budget, bool budget_first, uint64_t seed)
{
    const char *path = test_file("gas.pb.gz");
    machine m = { .by_budget = by_budget, .budget_first = budget_first, .random = seed };
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = path;
    o.counter = by_budget ? &m.stack[0].gas : &m.spent;
    o.counter_type = "gas";
    o.counter_unit = "gas";
    o.counts_down = by_budget;
    m.e = toll_embed_begin(&o);
    assert_non_null(m.e);
    run(&m);
    check(&m, path);
}

static void test_forwarded_budgets_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        record(true, true, seed);
        record(true, false, seed);
    }
}

static void test_a_counter_of_what_is_spent_needs_no_budgets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        record(false, false, seed);
}

/* The example of toll/embed.h. */
static void test_the_example(void **state)
{
    (void)state;
    const char *path = test_file("example.pb.gz");
    test_function f = { "caller", 0 }, g = { "callee", 0 };
    uint64_t caller = 1100, callee = 640;
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = path;
    o.counter = &caller;
    o.counts_down = 1;
    toll_embed *e = toll_embed_begin(&o);
    test_call(e, &f);
    caller -= 100;
    caller -= 640; /* forwarded: nothing is spent */
    toll_embed_budget(e, 1000, &callee);
    test_call(e, &g);
    callee -= 40;
    toll_embed_return(e);
    caller += 600;
    toll_embed_budget(e, 600, &caller);
    caller -= 7;
    toll_embed_return(e);
    assert_ok(toll_embed_end(e, err));
    toll_profile *p = test_load(path);
    assert_int_equal(test_spent(p, "ticks", "caller"), 107);
    assert_int_equal(test_spent(p, "ticks", "caller;callee"), 40);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forwarded_budgets_are_exact),
        cmocka_unit_test(test_a_counter_of_what_is_spent_needs_no_budgets),
        cmocka_unit_test(test_the_example),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
