/* test_lines_random.c - random runs with lines, compared with a simple model of docs/semantics.md,
 * "Lines", and, once places are folded, with the same run without lines. */
#include "support_lines.h"

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % n;
}

/* --- the model ---------------------------------------------------------------------------------*/

enum { MOST_OPEN = 12, MOST_STACKS = 4096 };

static const char *const names[] = { [F] = "f",    [G] = "g",    [S] = "s",    [T] = "t",
                                     [F2] = "f@2", [F3] = "f@3", [G8] = "g@8", [G9] = "g@9" };

static bool is_section(toll_frame_id frame)
{
    return frame == S || frame == T;
}

/* An open frame: what it is, where it is, and the stack that it hangs under. */
typedef struct model_frame {
    toll_frame_id frame, at;
    char under[128];
} model_frame;

typedef struct model {
    model_frame open[MOST_OPEN];
    int count, call_lines;
    char (*stacks)[128];
    int64_t (*values)[3]; /* calls, ticks, executions */
    int stack_count;
} model;

static int64_t *values_of(model *m, const char *under, toll_frame_id frame)
{
    char stack[sizeof m->stacks[0] + 8];
    snprintf(stack, sizeof stack, "%s%s%s", under, *under && frame != TOLL_NONE ? ";" : "",
             frame == TOLL_NONE ? "" : names[frame]);
    int i = 0;
    while (i < m->stack_count && strcmp(m->stacks[i], stack) != 0)
        i++;
    assert_true(i < MOST_STACKS && strlen(stack) < sizeof m->stacks[0]);
    strcpy(m->stacks[i], stack);
    m->stack_count += i == m->stack_count;
    return m->values[i];
}

static void model_charge(model *m, int64_t ticks)
{
    model_frame top = { .at = TOLL_NONE };
    if (m->count)
        top = m->open[m->count - 1];
    values_of(m, top.under, top.at)[TICKS] += ticks;
}

/* Where frame i hangs follows from the one outside of it. */
static void model_hang(model *m, int i)
{
    model_frame outer = i ? m->open[i - 1] : (model_frame){ 0 };
    if (i == 0)
        *m->open[i].under = 0;
    else
        snprintf(m->open[i].under, sizeof outer.under, "%.100s%s%s", outer.under,
                 *outer.under ? ";" : "", names[m->call_lines ? outer.at : outer.frame]);
}

static void model_enter(model *m, toll_frame_id frame)
{
    m->open[m->count].frame = m->open[m->count].at = frame;
    model_hang(m, m->count++);
    values_of(m, m->open[m->count - 1].under, frame)[CALLS]++;
}

/* Those inside of it hang elsewhere from now on. */
static void model_remove(model *m, int i)
{
    m->count--;
    memmove(&m->open[i], &m->open[i + 1], (size_t)(m->count - i) * sizeof m->open[0]);
    for (; i < m->count; i++)
        model_hang(m, i);
}

static int innermost_function(const model *m)
{
    int i = m->count - 1;
    while (i >= 0 && is_section(m->open[i].frame))
        i--;
    return i;
}

static void model_line(model *m, toll_frame_id at)
{
    model_frame *f = &m->open[innermost_function(m)];
    f->at = at;
    values_of(m, f->under, at)[EXECUTIONS]++;
}

static int innermost_of(const model *m, toll_frame_id frame)
{
    int i = m->count - 1;
    while (i >= 0 && m->open[i].frame != frame)
        i--;
    return i;
}

/* --- random runs -------------------------------------------------------------------------------*/

static toll_frame_id random_place(uint64_t *seed, toll_frame_id function)
{
    return function == G ? (random_below(seed, 4) ? G8 : G) : random_below(seed, 2) ? F2 : F3;
}

static void random_event(uint64_t *seed, model *m, toll_recorder *r, const uint64_t *now)
{
    toll_frame_id f = F + random_below(seed, 2), s = S + random_below(seed, 2);
    int i = innermost_function(m);
    switch (random_below(seed, 9)) {
    case 0:
    case 1:
        if (m->count == MOST_OPEN)
            return;
        toll_recorder_call(r, f, now);
        model_enter(m, f);
        return;
    case 2:
        toll_recorder_return(r, now);
        if (i >= 0)
            model_remove(m, i);
        return;
    case 3:
        if (m->count == MOST_OPEN)
            return;
        assert_ok(toll_recorder_section_begin(r, s, now, err));
        model_enter(m, s);
        return;
    case 4:
        i = innermost_of(m, s);
        toll_recorder_section_end(r, s, now, NULL);
        if (i >= 0)
            model_remove(m, i);
        return;
    default:
        if (i < 0)
            return;
        s = random_place(seed, m->open[i].frame);
        toll_recorder_line(r, s, now);
        model_line(m, s);
    }
}

static void assert_as_model(const toll_profile *p, model *m)
{
    for (toll_node_id node = 0; node < toll_profile_node_count(p); node++) {
        char stack[1024];
        toll_node_id root;
        stack_of(p, node, stack, sizeof stack, &root);
        int64_t *values = values_of(m, stack, TOLL_NONE);
        for (uint32_t c = 0; c < 3; c++)
            values[c] -= toll_profile_self(p, node, c);
    }
    for (int i = 0; i < m->stack_count; i++)
        for (uint32_t c = 0; c < 3; c++)
            if (m->values[i][c])
                fail_msg("'%s': the model has %d more of column %u", m->stacks[i],
                         (int)m->values[i][c], c);
}

static void random_run(uint64_t *seed, int call_lines)
{
    toll_recorder *r = make_lines(&(toll_recorder_options){ .call_lines = call_lines });
    model m = { .call_lines = call_lines,
                .stacks = calloc(MOST_STACKS, sizeof *m.stacks),
                .values = calloc(MOST_STACKS, sizeof *m.values) };
    uint64_t now = 0;
    toll_recorder_rebase(r, &now);
    for (int i = 0; i < 300; i++) {
        uint64_t step = random_below(seed, 10);
        now += step;
        toll_recorder_charge(r, &now);
        model_charge(&m, (int64_t)step);
        random_event(seed, &m, r, &now);
    }
    toll_profile *p = finish(r, now);
    assert_as_model(p, &m);
    toll_profile_free(p);
    free(m.stacks);
    free(m.values);
}

static void test_lines_of_random_runs(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 500; i++)
        random_run(&seed, i & 1);
}

/* --- with lines and without --------------------------------------------------------------------*/

typedef struct pair {
    toll_recorder *r[2]; /* with lines, and without */
    toll_track *tracks[2][3];
    uint64_t now;
} pair;

static pair make_pair(const toll_recorder_options *o)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options without = *o;
    pair x = { .r = { make_lines(o) } };
    without.size = sizeof without;
    without.counters = &ticks;
    without.counter_count = 1;
    without.call_lines = 0;
    assert_ok(toll_recorder_create(&without, &x.r[1], err));
    add_frames(x.r[1]);
    for (int i = 0; i < 2; i++) {
        x.tracks[i][0] = toll_recorder_main_track(x.r[i]);
        assert_ok(toll_recorder_new_track(x.r[i], "a", &x.tracks[i][1], err));
        assert_ok(toll_recorder_new_track(x.r[i], "b", &x.tracks[i][2], err));
    }
    return x;
}

/* The same event for both; for the one without lines a line only charges. There is one function, so
 * that the place is always the innermost one's. */
static void event_of_both(pair *x, uint32_t what, uint32_t which)
{
    for (int i = 0; i < 2; i++) {
        toll_recorder *r = x->r[i];
        const uint64_t *now = &x->now;
        if (what < 4)
            toll_recorder_call(r, F, now);
        else if (what < 7)
            toll_recorder_return(r, now);
        else if (what < 8)
            toll_recorder_tail_call(r, F, now);
        else if (what < 9)
            toll_recorder_unwind(r, which, now);
        else if (what < 10)
            toll_recorder_switch(r, x->tracks[i][which], now);
        else if (what < 11)
            toll_recorder_resume(r, x->tracks[i][which], now);
        else if (what < 12)
            toll_recorder_section_begin(r, S + which % 2, now, NULL);
        else if (what < 13)
            toll_recorder_section_end(r, S + which % 2, now, NULL);
        else if (what < 14) {
            toll_recorder_adopt(r, &(toll_frame_id){ F }, 1, now);
            if (which)
                toll_recorder_adopt_line(r, F2, now);
        } else
            toll_recorder_line(r, which == 0 ? F : which == 1 ? F2 : F3, now);
    }
}

/* Calls and ticks of each stack of the second are those of the first. */
static void assert_same_costs(const toll_profile *p, const toll_profile *without)
{
    for (toll_node_id node = 0; node < toll_profile_node_count(without); node++) {
        char stack[1024];
        toll_node_id root;
        stack_of(without, node, stack, sizeof stack, &root);
        for (toll_thread_id t = 0; t < toll_profile_thread_count(without); t++)
            if (toll_profile_root(without, t) == root)
                for (uint32_t c = 0; c < 2; c++)
                    assert_int_equal(self_of(p, toll_profile_thread_name(without, t), stack, c),
                                     toll_profile_self(without, node, c));
    }
    for (uint32_t c = 0; c < 2; c++)
        assert_int_equal(test_sum(p, c), test_sum(without, c));
}

static void random_pair(uint64_t seed)
{
    static const uint32_t limits[] = { 0, 3, 0 };
    const toll_recorder_options o = { .join_threads = seed & 1,
                                      .call_lines = seed >> 1 & 1,
                                      .max_depth = limits[seed % 3] };
    pair x = make_pair(&o);
    toll_profile *p[2], *folded;
    uint64_t random = seed * 77 + 1;
    toll_recorder_rebase(x.r[0], &x.now);
    toll_recorder_rebase(x.r[1], &x.now);
    for (int i = 0; i < 120; i++) {
        uint32_t what = random_below(&random, 20), which = random_below(&random, 3);
        x.now += random_below(&random, 10);
        if (toll_recorder_depth(x.r[0]) < 8 || what >= 4)
            event_of_both(&x, what, which);
    }
    p[0] = finish(x.r[0], x.now);
    p[1] = finish(x.r[1], x.now);
    assert_int_equal(test_sum(p[0], TICKS), x.now);
    assert_ok(toll_profile_fold_places(p[0], &folded, err));
    assert_same_costs(folded, p[1]);
    toll_profile_free(folded);
    toll_profile_free(p[0]);
    toll_profile_free(p[1]);
}

static void test_without_places_a_run_is_as_without_lines(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        random_pair(seed);
}

/* --- reset, and memory -------------------------------------------------------------------------*/

/* Calls under lines, coroutines, sections that cross; the status tells whether memory sufficed. */
static void short_run(toll_recorder *r, toll_track *co)
{
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(1));
    toll_recorder_resume(r, co, AT(2));
    for (uint64_t i = 0; i < 600; i++) {
        toll_recorder_call(r, G, AT(3 + i));
        toll_recorder_line(r, G8, AT(3 + i));
    }
    toll_recorder_section_begin(r, S, AT(700), NULL);
    toll_recorder_section_begin(r, T, AT(701), NULL);
    toll_recorder_line(r, G, AT(702));
    toll_recorder_call(r, F, AT(703));
    toll_recorder_line(r, F3, AT(703));
    toll_recorder_section_end(r, S, AT(704), NULL);
    toll_recorder_switch(r, toll_recorder_main_track(r), AT(705));
    toll_recorder_line(r, F3, AT(706));
    toll_recorder_resume(r, co, AT(707));
    toll_recorder_unwind(r, 3, AT(708));
    toll_recorder_stop(r, AT(1000));
}

static toll_status whole_life(const toll_allocator *allocator, void *user)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    const int *call_lines = user;
    toll_recorder_options o = { .size = sizeof o,
                                .allocator = allocator,
                                .counters = &ticks,
                                .counter_count = 1,
                                .lines = 1,
                                .call_lines = *call_lines,
                                .join_threads = 1 };
    toll_recorder *r;
    toll_profile *p = NULL;
    toll_track *co = NULL;
    toll_status status = toll_recorder_create(&o, &r, NULL);
    if (status)
        return status;
    for (toll_frame_id i = 0; !status && i < LINES_FRAMES; i++) {
        toll_frame frame = { .name = names[i], .kind = is_section(i) ? TOLL_KIND_SECTION : 0 };
        status = toll_recorder_add_frame(r, &frame, NULL, NULL);
    }
    if (!status)
        status = toll_recorder_new_track(r, "co", &co, NULL);
    if (!status) {
        short_run(r, co);
        status = toll_recorder_snapshot(r, NULL, &p, NULL);
    }
    if (!status) {
        status = toll_profile_check(p, 0, NULL);
        assert_int_equal(test_sum(p, TICKS), 1000); /* also when nodes were refused */
        assert_true(test_sum(p, EXECUTIONS) <= 604);
    }
    toll_profile_free(p);
    toll_recorder_free(r);
    return status;
}

static void test_lines_without_memory(void **state)
{
    (void)state;
    test_allocations(whole_life, &(int){ 0 }, true);
    test_allocations(whole_life, &(int){ 1 }, true);
}

static void test_lines_after_a_reset(void **state)
{
    (void)state;
    toll_profile *p[2], *difference;
    toll_track *co;
    toll_recorder *r = make_lines(NULL);
    for (int i = 0; i < 2; i++) {
        toll_recorder_reset(r);
        assert_ok(toll_recorder_new_track(r, "co", &co, err));
        short_run(r, co);
        assert_ok(toll_recorder_snapshot(r, NULL, &p[i], err));
    }
    toll_recorder_free(r);
    assert_int_equal(test_sum(p[0], EXECUTIONS), 604);
    assert_ok(toll_profile_diff(p[0], p[1], &difference, err));
    for (toll_node_id node = 0; node < toll_profile_node_count(difference); node++)
        for (uint32_t c = 0; c < 3; c++)
            assert_int_equal(toll_profile_self(difference, node, c), 0);
    assert_int_equal(toll_profile_node_count(p[0]), toll_profile_node_count(p[1]));
    toll_profile_free(difference);
    toll_profile_free(p[0]);
    toll_profile_free(p[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_random_runs),
        cmocka_unit_test(test_without_places_a_run_is_as_without_lines),
        cmocka_unit_test(test_lines_without_memory),
        cmocka_unit_test(test_lines_after_a_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
