/* test_sections.c - the rules of docs/semantics.md for sections, each in a test of its name, and
 * their totals and nets, compared with a model in random interleavings. test_section_frames.c tests
 * them in the tree. */
#include "support_sections.h"

static toll_sections *make(int counts_down)
{
    toll_sections_options o = { .size = sizeof o, .counts_down = counts_down };
    toll_sections *s;
    assert_ok(toll_sections_create(&o, &s, err));
    return s;
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
    begin(s, "left", 0, 500); /* the scope before has no effect */
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
    begin(s,
          "\xc2\x9b"
          "31m\xe2\x80\xae",
          0, 4); /* CSI, and a character that changes the direction of text */
    end(s,
        "\xc2\x9b"
        "31m\xe2\x80\xae",
        0, 4);
    assert_string_equal(pop_log(s, 4), "CU log:  1 ?31m? consumed      0 CU (net      0 CU)\n");
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

static int is_inside(const model_section *a, const model_section *b)
{
    return a->end >= 0 && a->begin > b->begin && a->end < b->end;
}

static int model_has_heap(const model_section *a)
{
    return a->heap[0] && a->heap[1];
}

/* The rules of docs/semantics.md, implemented in the simplest way. */
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

/* One random event, for the sections and for the model. */
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

/* Only the speed is tested: a quadratic algorithm would take an hour. */
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
