/* test_sections.c - the rules of docs/semantics.md on sections, each in a test of its name; what
 * sections took, against a model on random interleavings; sections in the recorder's tree; and the
 * syscalls. */
#include "support.h"

#include "record/sections_data.h"

#define AT(counter_now) (&(uint64_t){ counter_now })

static toll_sections *make(int counts_down)
{
    toll_sections_options o = { .counts_down = counts_down };
    toll_sections *s;
    assert_ok(toll_sections_create(&o, &s, err));
    return s;
}

static void begin(toll_sections *s, const char *id, uint64_t heap, uint64_t now)
{
    assert_ok(toll_sections_begin(s, id, strlen(id), heap ? &heap : NULL, &now, err));
}

static void end(toll_sections *s, const char *id, uint64_t heap, uint64_t now)
{
    assert_ok(toll_sections_end(s, id, strlen(id), heap ? &heap : NULL, &now, err));
}

static toll_status append_line(void *user, const char *line, size_t size)
{
    char *text = user;
    size_t used = strlen(text);
    assert_true(used + size + 2 < 4096);
    memcpy(text + used, line, size);
    memcpy(text + used + size, "\n", 2);
    return TOLL_OK;
}

/* The scope's log, its lines ended by newlines. */
static const char *pop_log(toll_sections *s, uint64_t now)
{
    static char text[4096];
    toll_section_results results;
    *text = 0;
    assert_ok(toll_sections_pop(s, &now, &results, err));
    assert_ok(toll_sections_log(s, &results, append_line, text, err));
    return text;
}

/* --- the rules ---------------------------------------------------------------------------------*/

static void test_sections_nested_net_is_less_the_union(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    begin(s, "outer", 0, 1000);
    begin(s, "mid", 0, 950);
    begin(s, "inner", 0, 900);
    end(s, "inner", 0, 800);
    end(s, "mid", 0, 750);
    end(s, "outer", 0, 700);
    assert_string_equal(pop_log(s, 650), "CU log:  1 inner consumed    100 CU (net    100 CU)\n"
                                         "CU log:  2 mid consumed    200 CU (net    100 CU)\n"
                                         "CU log:  3 outer consumed    300 CU (net    100 CU)\n");
    toll_sections_free(s);
}

static void test_sections_crossing_children_count_once(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    begin(s, "outer", 0, 1000);
    begin(s, "x", 0, 900);
    begin(s, "y", 0, 700);
    end(s, "x", 0, 500);
    end(s, "y", 0, 300);
    end(s, "outer", 0, 0);
    assert_string_equal(pop_log(s, 0), "CU log:  1 x consumed    400 CU (net    400 CU)\n"
                                       "CU log:  2 y consumed    400 CU (net    400 CU)\n"
                                       "CU log:  3 outer consumed   1000 CU (net    400 CU)\n");
    toll_sections_free(s);
}

static void test_sections_of_the_requirements(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    begin(s, "outer", 1000, 5000);
    begin(s, "inner", 1200, 4500);
    end(s, "inner", 1400, 4000);
    end(s, "outer", 1600, 3500);
    assert_string_equal(pop_log(s, 3500), "CU log:  1 inner consumed    500 CU (net    500 CU)\n"
                                          "HEAP :   200 heap (net   200 heap) remaining  1400\n"
                                          "CU log:  2 outer consumed   1500 CU (net   1000 CU)\n"
                                          "HEAP :   600 heap (net   400 heap) remaining  1600\n");
    toll_sections_free(s);
}

static void test_sections_log_is_as_wide_as_it_says(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    begin(s, "operation_name", 0, 3579);
    begin(s, "inside", 0, 3579);
    end(s, "inside", 0, 3345);
    end(s, "operation_name", 0, 2345);
    assert_string_equal(pop_log(s, 0),
                        "CU log:  1 inside consumed    234 CU (net    234 CU)\n"
                        "CU log:  2 operation_name consumed   1234 CU (net   1000 CU)\n");
    begin(s, "with_heap", 1, 2345);
    begin(s, "part", 5, 2345);
    end(s, "part", 683, 2000);
    end(s, "with_heap", 5679, 0);
    assert_string_equal(pop_log(s, 0), "CU log:  1 part consumed    345 CU (net    345 CU)\n"
                                       "HEAP :   678 heap (net   678 heap) remaining   683\n"
                                       "CU log:  2 with_heap consumed   2345 CU (net   2000 CU)\n"
                                       "HEAP :  5678 heap (net  5000 heap) remaining  5679\n");
    toll_sections_free(s);
}

static void test_sections_of_one_id_end_last_begun_first(void **state)
{
    (void)state;
    toll_sections *s = make(0);
    begin(s, "test", 0, 0);
    begin(s, "test", 0, 10);
    end(s, "test", 0, 30);
    end(s, "test", 0, 100);
    assert_string_equal(pop_log(s, 100), "CU log:  1 test consumed     20 CU (net     20 CU)\n"
                                         "CU log:  2 test consumed    100 CU (net     80 CU)\n");
    toll_sections_free(s);
}

static void test_sections_end_without_a_begin_is_an_error(void **state)
{
    (void)state;
    toll_sections *s = make(0);
    toll_error e;
    begin(s, "a", 0, 0);
    assert_int_equal(toll_sections_end(s, "b", 1, NULL, AT(5), &e), TOLL_E_NOT_FOUND);
    assert_string_equal(e.text, "no section 'b' is open");
    end(s, "a", 0, 7);
    assert_int_equal(toll_sections_end(s, "a", 1, NULL, AT(9), &e), TOLL_E_NOT_FOUND);
    assert_int_equal(toll_sections_orphans(s), 2);
    assert_string_equal(pop_log(s, 10), "CU log:  1 a consumed      7 CU (net      7 CU)\n");
    toll_sections_free(s);
}

static void test_sections_heap_needs_both_values_and_may_shrink(void **state)
{
    (void)state;
    toll_sections *s = make(0);
    begin(s, "start only", 10, 0);
    end(s, "start only", 0, 1);
    begin(s, "end only", 0, 1);
    end(s, "end only", 10, 2);
    begin(s, "shrinks", 500, 2);
    begin(s, "no heap", 0, 2);
    begin(s, "grows", 500, 2);
    end(s, "grows", 700, 3);
    end(s, "no heap", 0, 3);
    end(s, "shrinks", 100, 4);
    assert_string_equal(pop_log(s, 4), "CU log:  1 start only consumed      1 CU (net      1 CU)\n"
                                       "CU log:  2 end only consumed      1 CU (net      1 CU)\n"
                                       "CU log:  3 grows consumed      1 CU (net      1 CU)\n"
                                       "HEAP :   200 heap (net   200 heap) remaining   700\n"
                                       "CU log:  4 no heap consumed      1 CU (net      0 CU)\n"
                                       "CU log:  5 shrinks consumed      2 CU (net      1 CU)\n"
                                       "HEAP :  -400 heap (net  -600 heap) remaining   100\n");
    toll_sections_free(s);
}

static void test_sections_are_scoped_to_their_instruction(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    toll_error e;
    assert_ok(toll_sections_push(s, AT(1000), err));
    begin(s, "a", 0, 1000);
    assert_ok(toll_sections_push(s, AT(900), err));
    assert_int_equal(toll_sections_end(s, "a", 1, NULL, AT(890), &e), TOLL_E_NOT_FOUND);
    begin(s, "a", 0, 850);
    end(s, "a", 0, 800);
    assert_string_equal(pop_log(s, 700), "CU log:  1 a consumed     50 CU (net     50 CU)\n");
    end(s, "a", 0, 600);
    assert_string_equal(pop_log(s, 600), "CU log:  1 a consumed    400 CU (net    400 CU)\n");
    toll_sections_free(s);
}

static void test_sections_of_a_failed_instruction_are_logged(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    assert_ok(toll_sections_push(s, AT(1000), err));
    begin(s, "done", 0, 1000);
    end(s, "done", 0, 900);
    begin(s, "left", 0, 800);
    begin(s, "left", 0, 700);
    assert_string_equal(pop_log(s, 500), "CU log:  1 done consumed    100 CU (net    100 CU)\n"
                                         "CU log: left was not ended, 300 CU so far\n"
                                         "CU log: left was not ended, 200 CU so far\n");
    begin(s, "left", 0, 500); /* nothing is left of the scope before */
    end(s, "left", 0, 400);
    assert_string_equal(pop_log(s, 400), "CU log:  1 left consumed    100 CU (net    100 CU)\n");
    toll_sections_free(s);
}

static void test_sections_ids_are_bytes(void **state)
{
    (void)state;
    toll_sections *s = make(0);
    static char longest[TOLL_MAX_SECTION_ID + 1];
    toll_error e;
    assert_ok(toll_sections_begin(s, "a\0b", 3, NULL, AT(0), err));
    assert_ok(toll_sections_begin(s, "a\0c", 3, NULL, AT(1), err));
    assert_ok(toll_sections_end(s, "a\0b", 3, NULL, AT(3), err));
    assert_int_equal(toll_sections_end(s, "a\0b", 3, NULL, AT(3), &e), TOLL_E_NOT_FOUND);
    assert_string_equal(e.text, "no section 'a?b' is open");
    assert_ok(toll_sections_end(s, "a\0c", 3, NULL, AT(4), err));
    begin(s, "schl\xc3\xbcssel\n\xff", 0, 4);
    end(s, "schl\xc3\xbcssel\n\xff", 0, 4);
    assert_string_equal(pop_log(s, 4),
                        "CU log:  1 a?b consumed      3 CU (net      3 CU)\n"
                        "CU log:  2 a?c consumed      3 CU (net      3 CU)\n"
                        "CU log:  3 schl\xc3\xbcssel?? consumed      0 CU (net      0 CU)\n");
    memset(longest, 'x', sizeof longest);
    assert_ok(toll_sections_begin(s, longest, TOLL_MAX_SECTION_ID, NULL, AT(5), err));
    assert_ok(toll_sections_end(s, longest, TOLL_MAX_SECTION_ID, NULL, AT(5), err));
    assert_int_equal(toll_sections_begin(s, longest, sizeof longest, NULL, AT(5), &e),
                     TOLL_E_LIMIT);
    toll_sections_free(s);
}

static void test_sections_counter_that_goes_back_moves_nothing(void **state)
{
    (void)state;
    toll_sections *s = make(1);
    begin(s, "a", 0, 1000);
    end(s, "a", 0, 1100);
    assert_int_equal(toll_sections_backward(s), 1);
    toll_sections_rebase(s, AT(50));
    begin(s, "b", 0, 40);
    end(s, "b", 0, 30);
    assert_int_equal(toll_sections_backward(s), 1);
    assert_string_equal(pop_log(s, 30), "CU log:  1 a consumed      0 CU (net      0 CU)\n"
                                        "CU log:  2 b consumed     10 CU (net     10 CU)\n");
    toll_sections_free(s);
}

/* --- against a model ---------------------------------------------------------------------------*/

enum { MODEL_EVENTS = 40, MODEL_CASES = 30000 };

typedef struct model_section {
    char id;
    int begin, end; /* events; end -1: open */
    uint64_t heap[2];
    int64_t heap_total, heap_net;
    uint64_t total, net;
} model_section;

typedef struct model {
    model_section list[MODEL_EVENTS];
    int count, events;
    uint64_t at[MODEL_EVENTS];
} model;

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % n;
}

static int is_inside(const model_section *a, const model_section *b)
{
    return a->end >= 0 && a->begin > b->begin && a->end < b->end;
}

static int model_has_heap(const model_section *a)
{
    return a->heap[0] && a->heap[1];
}

/* By the words of docs/semantics.md, and nothing cleverer. */
static void model_results(model *m)
{
    for (int i = 0; i < m->count; i++) {
        model_section *a = &m->list[i];
        if (a->end < 0)
            continue;
        a->total = a->net = m->at[a->end] - m->at[a->begin];
        for (int e = a->begin; e < a->end; e++)
            for (int j = 0; j < m->count; j++)
                if (is_inside(&m->list[j], a) && m->list[j].begin <= e && e < m->list[j].end) {
                    a->net -= m->at[e + 1] - m->at[e];
                    break;
                }
        if (!model_has_heap(a))
            continue;
        a->heap_total = a->heap_net = (int64_t)(a->heap[1] - a->heap[0]);
        for (int j = 0; j < m->count; j++) {
            int outermost = is_inside(&m->list[j], a) && model_has_heap(&m->list[j]);
            for (int k = 0; k < m->count && outermost; k++)
                outermost = !(is_inside(&m->list[k], a) && model_has_heap(&m->list[k]) &&
                              is_inside(&m->list[j], &m->list[k]));
            if (outermost)
                a->heap_net -= (int64_t)(m->list[j].heap[1] - m->list[j].heap[0]);
        }
    }
}

static model_section *model_open(model *m, char id)
{
    for (int i = m->count - 1; i >= 0; i--)
        if (m->list[i].id == id && m->list[i].end < 0)
            return &m->list[i];
    return NULL;
}

/* One random event, for both. */
static void random_event(uint64_t *seed, toll_sections *s, model *m, uint64_t now)
{
    char id = (char)('a' + random_below(seed, 1 + random_below(seed, 6)));
    uint64_t heap = random_below(seed, 4) ? 1 + random_below(seed, 1000) : 0;
    model_section *open = model_open(m, id);
    if (random_below(seed, 2)) {
        m->list[m->count++] =
            (model_section){ .id = id, .begin = m->events, .end = -1, .heap = { heap, 0 } };
        assert_ok(toll_sections_begin(s, &id, 1, heap ? &heap : NULL, &now, err));
    } else if (open) {
        open->end = m->events;
        open->heap[1] = heap;
        assert_ok(toll_sections_end(s, &id, 1, heap ? &heap : NULL, &now, err));
    } else {
        assert_int_equal(toll_sections_end(s, &id, 1, NULL, &now, NULL), TOLL_E_NOT_FOUND);
        return;
    }
    m->at[m->events++] = now;
}

static void compare(const model *m, const toll_section_results *results)
{
    size_t n = 0;
    for (int e = 0; e < m->events; e++)
        for (int i = 0; i < m->count; i++) {
            const model_section *a = &m->list[i];
            if (a->end != e)
                continue;
            const toll_section *b = &results->ended[n++];
            assert_int_equal(b->id[0], a->id);
            assert_int_equal(b->total, a->total);
            assert_int_equal(b->net, a->net);
            assert_int_equal(b->has_heap, model_has_heap(a));
            assert_int_equal(b->heap_total, a->heap_total);
            assert_int_equal(b->heap_net, a->heap_net);
        }
    assert_int_equal(n, results->ended_count);
    assert_int_equal(n + results->open_count, m->count);
}

static void test_sections_on_random_interleavings(void **state)
{
    (void)state;
    const char *given = getenv("TOLL_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 20250101;
    toll_sections *s = make(0);
    print_message("TOLL_SEED=%llu, %d cases\n", (unsigned long long)seed, MODEL_CASES);
    for (int n = 0; n < MODEL_CASES; n++) {
        model m = { .count = 0 };
        uint64_t now = 0;
        toll_section_results results;
        toll_sections_rebase(s, &now);
        for (uint32_t e = random_below(&seed, MODEL_EVENTS); e > 0; e--)
            random_event(&seed, s, &m, now += random_below(&seed, 50));
        model_results(&m);
        assert_ok(toll_sections_pop(s, &now, &results, err));
        compare(&m, &results);
    }
    toll_sections_free(s);
}

/* Only its speed is the matter: the quadratic way would take an hour. */
static void test_sections_a_million_that_all_cross(void **state)
{
    (void)state;
    enum { N = 1000000 };
    toll_sections *s = make(0);
    toll_section_results results;
    char id[16];
    for (uint64_t i = 0; i < N; i++)
        begin(s, (snprintf(id, sizeof id, "%llu", (unsigned long long)i), id), 0, i);
    for (uint64_t i = 0; i < N; i++)
        end(s, (snprintf(id, sizeof id, "%llu", (unsigned long long)i), id), 0, N + i);
    assert_ok(toll_sections_pop(s, AT(2 * N), &results, err));
    assert_int_equal(results.ended_count, N);
    for (size_t i = 0; i < N; i++)
        assert_true(results.ended[i].total == N && results.ended[i].net == N);
    toll_sections_free(s);
}

/* --- in the recorder's tree --------------------------------------------------------------------*/

static toll_recorder *make_recorder(int counts_down, uint32_t max_depth)
{
    toll_counter units = { "compute units", "CU", counts_down };
    toll_recorder_options o = {
        .counters = &units, .counter_count = 1, .section_heap = 1, .max_depth = max_depth
    };
    toll_recorder *r;
    assert_ok(toll_recorder_create(&o, &r, err));
    return r;
}

static toll_frame_id frame(toll_recorder *r, const char *name, toll_frame_kind kind)
{
    toll_frame info = { name, NULL, 0, kind };
    toll_frame_id id;
    assert_ok(toll_recorder_frame(r, &info, &id, err));
    return id;
}

static toll_profile *finish(toll_recorder *r, uint64_t now)
{
    toll_profile *p;
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_recorder_free(r);
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static void test_sections_in_the_tree(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(1, 0);
    toll_sections_options o = { .counts_down = 1, .recorder = r };
    toll_sections *s;
    assert_ok(toll_sections_create(&o, &s, err));
    toll_recorder_call(r, frame(r, "f", TOLL_KIND_FUNCTION), AT(1000));
    begin(s, "x", 100, 900);
    begin(s, "y", 150, 700);
    end(s, "x", 300, 500); /* y goes on without it */
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
    toll_recorder_return(r, AT(10)); /* g is left: s and t go on in f */
    assert_int_equal(toll_recorder_depth(r), 1);
    toll_recorder_call(r, g, AT(15));
    assert_ok(toll_recorder_section_end(r, s, AT(21), err)); /* g and t go on */
    toll_recorder_return(r, AT(28));
    toll_recorder_return(r, AT(36)); /* f is left: t goes on outside */
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

/* What stands, the outermost first, as the rules have it. */
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

/* Ids are the program's to choose: notes are bounded. */
static void test_sections_left_open_by_the_thousand(void **state)
{
    (void)state;
    toll_recorder *r = make_recorder(0, 0);
    toll_sections_options o = { .recorder = r };
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
    toll_sections_options o = { .recorder = r };
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

/* Sections cross, deep on the stack: what is above is entered again, or folded for want of memory.
 */
static toll_status crossing_life(const toll_allocator *allocator, void *user)
{
    toll_counter units = { "compute units", "CU", 0 };
    toll_recorder_options o = { .allocator = allocator, .counters = &units, .counter_count = 1 };
    toll_recorder *r = NULL;
    toll_frame_id f[4] = { 0 };
    toll_profile *p = NULL;
    uint64_t now = 0;
    (void)user;
    toll_status status = toll_recorder_create(&o, &r, NULL);
    for (int i = 0; !status && i < 4; i++) {
        toll_frame info = { (char[]){ (char)('a' + i), 0 }, NULL, 0, TOLL_KIND_FUNCTION };
        status = toll_recorder_frame(r, &info, &f[i], NULL);
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
    test_every_allocation(crossing_life, NULL);
}

/* --- the syscalls ------------------------------------------------------------------------------*/

static const char guest[] = "swapmint"; /* at address 100 */

static const void *translate(void *memory, uint64_t address, uint64_t size)
{
    assert_ptr_equal(memory, guest);
    return address >= 100 && address - 100 <= 8 && size <= 8 - (address - 100)
               ? guest + (address - 100)
               : NULL;
}

static void log_line(void *user, const char *line, size_t size)
{
    append_line(user, line, size);
}

static toll_svm_call call(uint64_t address, uint64_t size, uint64_t heap, uint64_t tracks,
                          uint64_t remaining)
{
    return (toll_svm_call){ (void *)(uintptr_t)guest, address, size, heap, tracks, remaining };
}

static void test_syscalls(void **state)
{
    (void)state;
    char text[4096] = "";
    toll_recorder *r = make_recorder(1, 0);
    toll_svm_options o = {
        .recorder = r, .translate = translate, .log = log_line, .log_user = text
    };
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "A", 200000, err));
    toll_svm_call c = call(100, 4, 0, 1, 199000); /* heap is tracked although it is 0 */
    assert_int_equal(toll_svm_start(svm, &c), TOLL_SVM_OK);
    assert_ok(toll_svm_push(svm, "B", 190000, err));
    c = call(104, 4, 0, 0, 189000);
    assert_int_equal(toll_svm_start(svm, &c), TOLL_SVM_OK);
    c = call(100, 4, 0, 0, 188500);
    assert_int_equal(toll_svm_end(svm, &c), TOLL_SVM_NOT_OPEN);
    assert_ok(toll_svm_pop(svm, 1, 188000, NULL, err));
    c = call(100, 4, 64, 0, 180000);
    assert_int_equal(toll_svm_end(svm, &c), TOLL_SVM_OK);
    toll_section_results results;
    assert_ok(toll_svm_pop(svm, 0, 179000, &results, err));
    assert_int_equal(results.ended_count, 1);
    assert_int_equal(toll_svm_depth(svm), 0);
    assert_string_equal(text, "CU log: end: no section 'swap' is open\n"
                              "CU log: mint was not ended, 1000 CU so far\n"
                              "CU log:  1 swap consumed  19000 CU (net  19000 CU)\n"
                              "HEAP :    64 heap (net    64 heap) remaining    64\n");
    assert_ok(toll_svm_push(svm, "A", 1400000, err)); /* another transaction: another budget */
    assert_ok(toll_svm_pop(svm, 0, 1399990, NULL, err));
    assert_ok(toll_svm_pop(svm, 0, 1399990, NULL, err)); /* one too many */
    toll_svm_free(svm);
    toll_profile *p = finish(r, 1399990);
    assert_int_equal(test_self(p, "main", "program A", 1), 2000 + 10);
    assert_int_equal(test_self(p, "main", "program A;swap", 1), 17000);
    assert_int_equal(test_self(p, "main", "program A;swap", 2), 64);
    assert_int_equal(test_self(p, "main", "program A;swap;program B", 1), 1000);
    assert_int_equal(test_self(p, "main", "program A;swap;program B;mint", 1), 1000);
    toll_profile_free(p);
}

static void test_syscalls_that_point_nowhere(void **state)
{
    (void)state;
    char text[4096] = "";
    toll_svm_options o = { .translate = translate, .log = log_line, .log_user = text };
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "A", 100, err));
    static const uint64_t bad[][2] = {
        { 0, 1 }, { 99, 1 }, { 108, 1 }, { 100, 9 }, { UINT64_MAX, 4096 }, { UINT64_MAX - 3, 8 }
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        toll_svm_call c = call(bad[i][0], bad[i][1], 0, 0, 10);
        assert_int_equal(toll_svm_start(svm, &c), TOLL_SVM_ACCESS_VIOLATION);
        assert_int_equal(toll_svm_end(svm, &c), TOLL_SVM_ACCESS_VIOLATION);
    }
    toll_svm_call c = call(100, UINT64_MAX, 0, 0, 10);
    assert_int_equal(toll_svm_start(svm, &c), TOLL_SVM_ID_TOO_LONG);
    c = call(0, 0, 0, 0, 10); /* the empty id is an id */
    assert_int_equal(toll_svm_start(svm, &c), TOLL_SVM_OK);
    assert_int_equal(toll_svm_end(svm, &c), TOLL_SVM_OK);
    assert_string_equal(text, "CU log: start: an id of more than 4096 bytes\n");
    assert_ok(toll_svm_pop(svm, 0, 1, NULL, err));
    assert_int_equal(toll_svm_start(svm, &c), TOLL_SVM_NO_INVOCATION);
    assert_int_equal(toll_svm_end(svm, &c), TOLL_SVM_NO_INVOCATION);
    toll_svm_free(svm);
    toll_svm_options none = { .log = log_line };
    assert_int_equal(toll_svm_create(&none, &svm, NULL), TOLL_E_ARGUMENT);
}

/* --- memory ------------------------------------------------------------------------------------*/

static toll_status svm_life(const toll_allocator *allocator, void *user)
{
    static char sink[4096];
    toll_counter units = { "compute units", "CU", 1 };
    toll_recorder_options ro = {
        .allocator = allocator, .counters = &units, .counter_count = 1, .section_heap = 1
    };
    toll_recorder *r = NULL;
    toll_svm *svm = NULL;
    (void)user;
    *sink = 0;
    toll_status status = toll_recorder_create(&ro, &r, NULL);
    toll_svm_options o = { allocator, r, translate, log_line, sink };
    toll_profile *p = NULL;
    if (!status)
        status = toll_svm_create(&o, &svm, NULL);
    for (int i = 0; !status && i < 2; i++)
        status = toll_svm_push(svm, i ? "B" : "A", 1000 - (uint64_t)i, NULL);
    for (uint64_t i = 0; !status && i < 20; i++) {
        toll_svm_call c = call(100 + i % 5, 3, 5, 0, 900 - i);
        status = (i % 4 == 3 ? toll_svm_end : toll_svm_start)(svm, &c) == TOLL_SVM_NO_MEMORY
                     ? TOLL_E_NOMEM
                     : TOLL_OK;
    }
    while (svm && toll_svm_depth(svm)) {
        toll_status popped = toll_svm_pop(svm, 0, 500, NULL, NULL);
        status = status ? status : popped;
    }
    if (!status)
        status = toll_recorder_snapshot(r, NULL, &p, NULL);
    toll_profile_free(p);
    toll_svm_free(svm);
    toll_recorder_free(r);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(svm_life, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_nested_net_is_less_the_union),
        cmocka_unit_test(test_sections_crossing_children_count_once),
        cmocka_unit_test(test_sections_of_the_requirements),
        cmocka_unit_test(test_sections_log_is_as_wide_as_it_says),
        cmocka_unit_test(test_sections_of_one_id_end_last_begun_first),
        cmocka_unit_test(test_sections_end_without_a_begin_is_an_error),
        cmocka_unit_test(test_sections_heap_needs_both_values_and_may_shrink),
        cmocka_unit_test(test_sections_are_scoped_to_their_instruction),
        cmocka_unit_test(test_sections_of_a_failed_instruction_are_logged),
        cmocka_unit_test(test_sections_ids_are_bytes),
        cmocka_unit_test(test_sections_counter_that_goes_back_moves_nothing),
        cmocka_unit_test(test_sections_on_random_interleavings),
        cmocka_unit_test(test_sections_a_million_that_all_cross),
        cmocka_unit_test(test_sections_in_the_tree),
        cmocka_unit_test(test_sections_outlive_the_function_that_began_them),
        cmocka_unit_test(test_sections_in_the_tree_of_random_runs),
        cmocka_unit_test(test_sections_without_room_are_counted),
        cmocka_unit_test(test_sections_of_frames_that_are_not_registered),
        cmocka_unit_test(test_sections_left_open_by_the_thousand),
        cmocka_unit_test(test_sections_heap_at_the_limits),
        cmocka_unit_test(test_sections_that_cross_without_memory),
        cmocka_unit_test(test_syscalls),
        cmocka_unit_test(test_syscalls_that_point_nowhere),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
