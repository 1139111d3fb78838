/* test_section_frames.c - sections as frames of the recorder's tree: by the rules, compared with a
 * model in random runs, and at the limits. */
#include "support_sections.h"

#include "record/recorder_data.h"

static void test_sections_in_the_tree(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(1, 0);
    toll_sections_options o = { .size = sizeof o, .counts_down = 1, .recorder = r };
    toll_sections *s;
    assert_ok(toll_sections_create(&o, &s, err));
    toll_recorder_call(r, frame(r, "f", TOLL_KIND_FUNCTION), AT(1000));
    begin(s, "x", 100, 900);
    begin(s, "y", 150, 700);
    end(s, "x", 300, 500); /* y stays open */
    end(s, "y", 310, 300);
    toll_section_results results;
    assert_ok(toll_sections_pop(s, AT(200), &results, err));
    toll_recorder_return(r, AT(200));
    toll_sections_free(s);
    toll_profile *p = finish(r, 100);
    assert_int_equal(test_self(p, "main", "f", 1), 200);
    assert_int_equal(test_self(p, "main", "f;x", 1), 200);
    assert_int_equal(test_self(p, "main", "f;x;y", 1), 200);
    assert_int_equal(test_self(p, "main", "f;y", 1), 200);
    assert_int_equal(test_self(p, "main", "f;x", 0), 1);
    assert_int_equal(test_self(p, "main", "f;x;y", 0), 1);
    assert_int_equal(test_self(p, "main", "f;y", 0), 0); /* no call */
    assert_int_equal(test_self(p, "main", "f;x", 2), 200);
    assert_int_equal(test_self(p, "main", "f;x;y", 2), 160);
    toll_profile_free(p);
}

static void test_sections_outlive_the_function_that_began_them(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    toll_frame_id f = frame(r, "f", 0), g = frame(r, "g", 0);
    toll_frame_id s = frame(r, "s", TOLL_KIND_SECTION), t = frame(r, "t", TOLL_KIND_SECTION);
    toll_recorder_call(r, f, AT(0));
    toll_recorder_call(r, g, AT(1));
    assert_ok(toll_recorder_section_begin(r, s, AT(3), err));
    assert_ok(toll_recorder_section_begin(r, t, AT(6), err));
    assert_int_equal(toll_recorder_depth(r), 2);
    toll_recorder_return(r, AT(10)); /* g is left: s and t stay open in f */
    assert_int_equal(toll_recorder_depth(r), 1);
    toll_recorder_call(r, g, AT(15));
    assert_ok(toll_recorder_section_end(r, s, AT(21), err)); /* g and t go on */
    toll_recorder_return(r, AT(28));
    toll_recorder_return(r, AT(36)); /* f is left: t stays open at the root */
    toll_recorder_return(r, AT(45)); /* nothing to leave */
    assert_int_equal(toll_recorder_section_end(r, s, AT(45), NULL), TOLL_E_NOT_FOUND);
    toll_profile *p = finish(r, 55);
    assert_int_equal(test_self(p, "main", "f", 1), 1);
    assert_int_equal(test_self(p, "main", "f;g", 1), 2);
    assert_int_equal(test_self(p, "main", "f;g;s", 1), 3);
    assert_int_equal(test_self(p, "main", "f;g;s;t", 1), 4);
    assert_int_equal(test_self(p, "main", "f;s;t", 1), 5);
    assert_int_equal(test_self(p, "main", "f;s;t;g", 1), 6);
    assert_int_equal(test_self(p, "main", "f;t;g", 1), 7);
    assert_int_equal(test_self(p, "main", "f;t", 1), 8);
    assert_int_equal(test_self(p, "main", "t", 1), 9 + 10);
    assert_int_equal(test_self(p, "main", "f;s;t;g", 0), 1);
    assert_int_equal(test_self(p, "main", "f;t;g", 0), 0);
    toll_profile_free(p);
}

/* The open frames, outermost first, by the rules. */
typedef struct model_stack {
    struct {
        toll_frame_id frame;
        int is_section;
    } list[64];
    int count;
} model_stack;

static void model_remove(model_stack *m, int i)
{
    m->count--;
    memmove(&m->list[i], &m->list[i + 1], (size_t)(m->count - i) * sizeof m->list[0]);
}

/* The stack as a number: frames are digits. */
static uint64_t model_key(const model_stack *m)
{
    uint64_t key = 0;
    for (int i = 0; i < m->count; i++)
        key = key * 8 + m->list[i].frame + 1;
    return key;
}

enum { TREE_KEYS = 512 };

typedef struct model_costs {
    uint64_t keys[TREE_KEYS];
    int64_t values[TREE_KEYS];
    int count;
} model_costs;

static void model_charge(model_costs *c, uint64_t key, int64_t value)
{
    int i = 0;
    while (i < c->count && c->keys[i] != key)
        i++;
    assert_true(i < TREE_KEYS);
    c->keys[i] = key;
    c->values[i] += value;
    c->count += i == c->count;
}

static uint64_t key_of_node(const toll_profile *p, toll_node_id node)
{
    uint64_t key = 0, unit = 1;
    for (; toll_profile_node_frame(p, node) != TOLL_NONE; node = toll_profile_parent(p, node)) {
        key += unit * (uint64_t)(toll_profile_frame(p, toll_profile_node_frame(p, node)).name[0] -
                                 'a' + 1);
        unit *= 8;
    }
    return key;
}

static void random_step(uint64_t *seed, toll_recorder *r, model_stack *m, uint64_t now)
{
    toll_frame_id f = random_below(seed, 3), s = 3 + random_below(seed, 3);
    int last = m->count - 1;
    switch (random_below(seed, 5)) {
    case 0:
    case 1:
        if (m->count < 18) {
            toll_recorder_call(r, f, &now);
            m->list[m->count].frame = f;
            m->list[m->count++].is_section = 0;
        }
        break;
    case 2:
        while (last >= 0 && m->list[last].is_section)
            last--;
        if (last >= 0)
            model_remove(m, last);
        toll_recorder_return(r, &now);
        break;
    case 3:
        if (m->count < 18) {
            assert_ok(toll_recorder_section_begin(r, s, &now, err));
            m->list[m->count].frame = s;
            m->list[m->count++].is_section = 1;
        }
        break;
    default:
        while (last >= 0 && m->list[last].frame != s)
            last--;
        assert_int_equal(toll_recorder_section_end(r, s, &now, NULL),
                         last >= 0 ? TOLL_OK : TOLL_E_NOT_FOUND);
        if (last >= 0)
            model_remove(m, last);
    }
}

static void random_tree(uint64_t *seed)
{
    toll_recorder *r = make_recorder(0, 0);
    model_stack m = { .count = 0 };
    model_costs costs = { .count = 0 };
    uint64_t now = 0;
    char name[2] = "a";
    for (; *name < 'g'; ++*name)
        frame(r, name, *name < 'd' ? TOLL_KIND_FUNCTION : TOLL_KIND_SECTION);
    toll_recorder_rebase(r, &now);
    for (int i = 0; i < 200; i++) {
        uint64_t step = random_below(seed, 10), key = model_key(&m);
        now += step;
        toll_recorder_charge(r, &now); /* not every step is an event */
        random_step(seed, r, &m, now);
        model_charge(&costs, key, (int64_t)step);
    }
    toll_profile *p = finish(r, now);
    int64_t left = 0;
    for (uint32_t node = 0; node < toll_profile_node_count(p); node++)
        if (toll_profile_self(p, node, 1)) {
            model_charge(&costs, key_of_node(p, node), -toll_profile_self(p, node, 1));
            left++;
        }
    for (int i = 0; i < costs.count; i++)
        assert_int_equal(costs.values[i], 0);
    assert_true(left > 1);
    toll_profile_free(p);
}

static void test_sections_in_the_tree_of_random_runs(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++)
        random_tree(&seed);
}

static void test_late_sections_are_not_under_the_functions_that_begin_them(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    toll_frame_id f = frame(r, "f", 0), g = frame(r, "g", 0), mark = frame(r, "mark", 0);
    toll_frame_id s = frame(r, "s", TOLL_KIND_SECTION);
    toll_recorder_call(r, f, AT(0));
    toll_recorder_call(r, mark, AT(10));
    assert_ok(toll_recorder_section_begin_late(r, s, AT(12), err));
    assert_int_equal(toll_recorder_depth(r), 2);
    toll_recorder_return(r, AT(15));
    assert_int_equal(toll_recorder_depth(r), 1);
    toll_recorder_call(r, g, AT(20));
    toll_recorder_return(r, AT(30));
    toll_recorder_call(r, mark, AT(31));
    assert_ok(toll_recorder_section_end(r, s, AT(33), err));
    toll_recorder_return(r, AT(34));
    toll_recorder_return(r, AT(40));
    toll_profile *p = finish(r, 40);
    assert_int_equal(test_self(p, "main", "f", 1), 10 + 6);
    assert_int_equal(test_self(p, "main", "f;mark", 1), 2 + 1);
    assert_int_equal(test_self(p, "main", "f;s", 1), 8 + 1); /* the rest of mark is the section's */
    assert_int_equal(test_self(p, "main", "f;s;g", 1), 10);
    assert_int_equal(test_self(p, "main", "f;s;mark", 1), 2);
    assert_int_equal(test_self(p, "main", "f;s", 0), 1);
    assert_int_equal(test_self(p, "main", "f;mark", 0), 1);
    uint32_t places = 0;
    for (uint32_t node = 0; node < toll_profile_node_count(p); node++)
        places += strcmp(toll_profile_frame(p, toll_profile_node_frame(p, node)).name, "s") == 0;
    assert_int_equal(places, 1);
    toll_profile_free(p);
}

static void test_a_late_section_of_the_outermost_function_is_under_it(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    toll_frame_id f = frame(r, "f", 0), mark = frame(r, "mark", 0);
    toll_frame_id s = frame(r, "s", TOLL_KIND_SECTION);
    toll_recorder_call(r, f, AT(0));
    toll_recorder_call(r, mark, AT(10));
    assert_ok(toll_recorder_section_begin_late(r, s, AT(12), err));
    toll_recorder_return(r, AT(15));
    toll_recorder_return(r, AT(40));
    assert_ok(toll_recorder_section_drop(r, s, err));
    toll_profile *p = finish(r, 50);
    assert_int_equal(test_self(p, "main", "f;s", 1), 40 - 12);
    assert_int_equal(test_self(p, "main", "f;mark", 1), 2);
    assert_int_equal(test_self(p, "main", "f", 1), 10);
    assert_int_equal(test_self(p, "main", "s", 1), 0);
    toll_profile_free(p);
}

static void test_a_dropped_section_ends_at_the_last_event(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    toll_frame_id f = frame(r, "f", 0), s = frame(r, "s", TOLL_KIND_SECTION);
    toll_recorder_call(r, f, AT(0));
    assert_ok(toll_recorder_section_begin(r, s, AT(5), err));
    toll_recorder_return(r, AT(10));
    assert_ok(toll_recorder_section_drop(r, s, err));
    assert_int_equal(toll_recorder_section_drop(r, s, NULL), TOLL_E_NOT_FOUND);
    toll_recorder_call(r, f, AT(30));
    assert_ok(toll_recorder_section_begin_late(r, s, AT(33), err));
    assert_ok(toll_recorder_section_drop(r, s, err)); /* it has not had its frame yet */
    toll_recorder_return(r, AT(37));
    toll_profile *p = finish(r, 40);
    assert_int_equal(test_self(p, "main", "f", 1), 5 + 3 + 4);
    assert_int_equal(test_self(p, "main", "f;s", 1), 5);
    assert_int_equal(test_self(p, "main", "f;s", 0), 2);
    assert_int_equal(test_self(p, "main", "s", 1), 0);
    toll_profile_free(p);
}

enum { LATE_STEPS = 60 };

typedef enum late_kind { LATE_CALL, LATE_RETURN, LATE_BEGIN, LATE_END } late_kind;

typedef struct late_event {
    late_kind kind;
    toll_frame_id frame;
    uint64_t now;
} late_event;

/* Random events. A return has a function to leave. */
static void make_late_events(uint64_t *seed, late_event *events)
{
    int depth = 0, open = 0;
    uint64_t now = 0;
    for (int i = 0; i < LATE_STEPS; i++) {
        late_event *e = &events[i];
        now += random_below(seed, 10);
        *e = (late_event){ (late_kind)random_below(seed, 4), random_below(seed, 3), now };
        if ((e->kind == LATE_RETURN && !depth) || (e->kind == LATE_END && !open))
            e->kind = LATE_CALL;
        depth += e->kind == LATE_CALL ? 1 : e->kind == LATE_RETURN ? -1 : 0;
        open += e->kind == LATE_BEGIN ? 1 : e->kind == LATE_END ? -1 : 0;
        e->frame += e->kind == LATE_BEGIN || e->kind == LATE_END ? 3 : 0;
    }
}

/* Deliver one event. An end is that of any open section. */
static void deliver_late_event(toll_recorder *r, late_event e, bool is_late)
{
    if (e.kind == LATE_CALL)
        toll_recorder_call(r, e.frame, &e.now);
    else if (e.kind == LATE_RETURN)
        toll_recorder_return(r, &e.now);
    else if (e.kind == LATE_BEGIN && is_late)
        assert_ok(toll_recorder_section_begin_late(r, e.frame, &e.now, err));
    else if (e.kind == LATE_BEGIN)
        assert_ok(toll_recorder_section_begin(r, e.frame, &e.now, err));
    else
        for (toll_frame_id s = 3; s < 6 && toll_recorder_section_end(r, s, &e.now, NULL); s++) {
        }
}

/* The profile with late sections; or the one that late sections have by definition: the returns
 * after a begin happen before it, at its moment, except for that of the outermost function. */
static toll_profile *late_profile(const late_event *events, bool is_late)
{
    toll_recorder *r = make_recorder(0, 0);
    char name[2] = "a";
    for (; *name < 'g'; ++*name)
        frame(r, name, *name < 'd' ? TOLL_KIND_FUNCTION : TOLL_KIND_SECTION);
    toll_recorder_rebase(r, AT(0));
    for (int i = 0; i < LATE_STEPS; i++) {
        const late_event *begun = &events[i];
        for (; !is_late && begun->kind == LATE_BEGIN && i + 1 < LATE_STEPS &&
               events[i + 1].kind == LATE_RETURN && toll_recorder_depth(r) > 1;
             i++)
            deliver_late_event(r, (late_event){ LATE_RETURN, 0, begun->now }, false);
        deliver_late_event(r, *begun, is_late);
    }
    return finish(r, events[LATE_STEPS - 1].now + 5);
}

static void test_late_sections_of_random_runs(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 2000; i++) {
        late_event events[LATE_STEPS];
        make_late_events(&seed, events);
        toll_profile *late = late_profile(events, true), *defined = late_profile(events, false);
        model_costs costs = { .count = 0 }, calls = { .count = 0 };
        for (uint32_t n = 0; n < toll_profile_node_count(late); n++) {
            model_charge(&costs, key_of_node(late, n), toll_profile_self(late, n, 1));
            model_charge(&calls, key_of_node(late, n), toll_profile_self(late, n, 0));
        }
        for (uint32_t n = 0; n < toll_profile_node_count(defined); n++) {
            model_charge(&costs, key_of_node(defined, n), -toll_profile_self(defined, n, 1));
            model_charge(&calls, key_of_node(defined, n), -toll_profile_self(defined, n, 0));
        }
        for (int k = 0; k < costs.count; k++) {
            assert_int_equal(costs.values[k], 0);
            assert_int_equal(calls.values[k], 0);
        }
        toll_profile_free(late);
        toll_profile_free(defined);
    }
}

static void test_sections_without_room_are_counted(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 2);
    toll_frame_id f = frame(r, "f", 0), s = frame(r, "s", TOLL_KIND_SECTION);
    toll_error e;
    toll_recorder_call(r, f, AT(0));
    toll_recorder_call(r, f, AT(1));
    assert_ok(toll_recorder_section_begin(r, s, AT(2), err)); /* too deep */
    toll_recorder_call(r, f, AT(3));
    toll_recorder_return(r, AT(4));
    toll_recorder_return(r, AT(5));
    toll_recorder_return(r, AT(6));
    assert_ok(toll_recorder_section_end(r, s, AT(7), err));
    for (int i = 0; i < TOLL_MAX_OPEN_SECTIONS; i++)
        assert_ok(toll_recorder_section_begin(r, s, AT(8), err));
    assert_int_equal(toll_recorder_section_begin(r, s, AT(9), &e), TOLL_E_LIMIT);
    toll_profile *p = finish(r, 9);
    assert_int_equal(test_self(p, "main", "f;f", 1), 4);
    assert_int_equal(test_self(p, "main", "f", 1), 2);
    assert_int_equal(test_self(p, "main", "s;s", 1), 1);
    uint64_t hidden = 0, open = 0;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        hidden += strstr(text, "sections that no stack shows") ? count : 0;
        open += strcmp(text, "section left open: s") == 0 ? count : 0;
    }
    assert_int_equal(hidden, 1 + TOLL_MAX_OPEN_SECTIONS - 2);
    assert_int_equal(open, TOLL_MAX_OPEN_SECTIONS);
    toll_profile_free(p);
}

static void test_sections_of_frames_that_are_not_registered(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    assert_int_equal(toll_recorder_section_begin(r, 123456, AT(1), NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_recorder_section_end(r, 123456, AT(2), NULL), TOLL_E_NOT_FOUND);
    toll_profile_free(finish(r, 3));
}

/* A program may choose any number of ids, so the number of notes is bounded. */
static void test_sections_left_open_by_the_thousand(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    toll_sections_options o = { .size = sizeof o, .recorder = r };
    toll_sections *s;
    toll_section_results results;
    char id[16];
    assert_ok(toll_sections_create(&o, &s, err));
    for (int i = 0; i < 10000; i++) {
        snprintf(id, sizeof id, "%d", i);
        begin(s, id, 0, 1);
    }
    assert_ok(toll_sections_pop(s, AT(2), &results, err));
    assert_int_equal(results.open_count, 10000);
    toll_sections_free(s);
    toll_profile *p = finish(r, 3);
    assert_true(toll_profile_note_count(p) < 300);
    toll_profile_free(p);
}

static void test_sections_heap_at_the_limits(void **state)
{
    (void)state;
    static const uint64_t values[] = { 1, INT64_MAX, UINT64_MAX, UINT64_C(1) << 62, 5 };
    toll_recorder *r = make_recorder(0, 0);
    toll_sections_options o = { .size = sizeof o, .recorder = r };
    toll_sections *s;
    toll_section_results results;
    assert_ok(toll_sections_create(&o, &s, err));
    for (int i = 0; i < 25; i++) {
        begin(s, "x", values[i / 5], 1);
        end(s, "x", values[i % 5], 1);
    }
    assert_ok(toll_sections_pop(s, AT(2), &results, err));
    toll_sections_free(s);
    toll_profile_free(finish(r, 3)); /* checks that sums fit */
}

/* Sections cross, deep on the stack: the deeper frames are entered again, or folded for lack of
 * memory. */
static toll_status crossing_life(const toll_allocator *allocator, void *user)
{
    toll_counter units = { "compute units", "CU", 0 };
    toll_recorder_options o = {
        .size = sizeof o, .allocator = allocator, .counters = &units, .counter_count = 1
    };
    toll_recorder *r = NULL;
    toll_frame_id f[4] = { 0 };
    toll_profile *p = NULL;
    uint64_t now = 0;
    (void)user;
    toll_status status = toll_recorder_create(&o, &r, NULL);
    for (int i = 0; !status && i < 4; i++) {
        toll_frame info = { .name = (char[]){ (char)('a' + i), 0 } };
        status = toll_recorder_add_frame(r, &info, &f[i], NULL);
    }
    if (!status)
        status = toll_recorder_section_begin(r, f[0], &now, NULL);
    for (int i = 0; !status && i < 3000; i++)
        toll_recorder_call(r, f[1], AT(now += 2));
    if (!status)
        status = toll_recorder_section_begin(r, f[2], AT(++now), NULL);
    if (!status) {
        toll_recorder_section_end(r, f[0], AT(++now), NULL);
        assert_int_equal(toll_recorder_depth(r), 3000);
        toll_recorder_return(r, AT(++now));
        assert_int_equal(toll_recorder_depth(r), 2999);
        toll_recorder_section_end(r, f[2], AT(++now), NULL);
        toll_recorder_unwind(r, 0, AT(++now));
        assert_int_equal(toll_recorder_depth(r), 0);
        toll_recorder_call(r, f[3], AT(++now));
        toll_recorder_return(r, AT(++now));
        status = toll_recorder_snapshot(r, NULL, &p, NULL);
    }
    if (!status && toll_profile_note_count(p)) /* something was folded: not the end of the loop */
        status = TOLL_E_NOMEM;
    toll_profile_free(p);
    toll_recorder_free(r);
    return status;
}

static void test_sections_that_cross_without_memory(void **state)
{
    (void)state;
    test_allocations(crossing_life, NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_in_the_tree),
        cmocka_unit_test(test_sections_outlive_the_function_that_began_them),
        cmocka_unit_test(test_sections_in_the_tree_of_random_runs),
        cmocka_unit_test(test_late_sections_are_not_under_the_functions_that_begin_them),
        cmocka_unit_test(test_a_late_section_of_the_outermost_function_is_under_it),
        cmocka_unit_test(test_a_dropped_section_ends_at_the_last_event),
        cmocka_unit_test(test_late_sections_of_random_runs),
        cmocka_unit_test(test_sections_without_room_are_counted),
        cmocka_unit_test(test_sections_of_frames_that_are_not_registered),
        cmocka_unit_test(test_sections_left_open_by_the_thousand),
        cmocka_unit_test(test_sections_heap_at_the_limits),
        cmocka_unit_test(test_sections_that_cross_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
