/* test_lines.c - each rule of docs/semantics.md, "Lines", and the effect of lines on other events.
 */
#include "support_lines.h"

static void test_lines_worked_example(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(NULL);
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(1));
    toll_recorder_line(r, F3, AT(10));
    toll_recorder_call(r, G, AT(30));
    toll_recorder_line(r, G8, AT(31));
    toll_recorder_return(r, AT(60));
    toll_recorder_line(r, F2, AT(70));
    toll_recorder_return(r, AT(80));
    toll_profile *p = finish(r, 80);
    assert_costs(p, "f", 1, 1, 0);
    assert_costs(p, "f@2", 0, 9 + 10, 2);
    assert_costs(p, "f@3", 0, 20 + 10, 1);
    assert_costs(p, "f;g", 1, 1, 0);
    assert_costs(p, "f;g@8", 0, 29, 1);
    assert_int_equal(test_sum(p, TICKS), 80);
    toll_profile_free(p);
}

/* Two calls deep: the caller's caller is where it was, too. */
static void test_a_frame_remembers_its_place(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(NULL);
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    toll_recorder_call(r, G, AT(1));
    toll_recorder_line(r, G8, AT(1));
    toll_recorder_call(r, F, AT(3)); /* recursion has a place of its own */
    toll_recorder_line(r, F3, AT(3));
    toll_recorder_return(r, AT(7));
    toll_recorder_return(r, AT(15));
    toll_recorder_line(r, F2, AT(31)); /* the same line again */
    toll_profile *p = finish(r, 63);
    assert_costs(p, "f@2", 0, 1 + 16 + 32, 2);
    assert_costs(p, "f;g@8", 0, 2 + 8, 1);
    assert_costs(p, "f;g;f@3", 0, 4, 1);
    toll_profile_free(p);
}

static void test_lines_of_calls(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(&(toll_recorder_options){ .call_lines = 1 });
    toll_recorder_call(r, F, AT(0));
    toll_recorder_call(r, G, AT(1)); /* before the first line: under f without a place */
    toll_recorder_return(r, AT(3));
    toll_recorder_line(r, F2, AT(7));
    toll_recorder_call(r, G, AT(15));
    toll_recorder_line(r, G8, AT(15));
    toll_recorder_return(r, AT(31));
    toll_recorder_line(r, F3, AT(63));
    toll_recorder_call(r, G, AT(127));
    toll_profile *p = finish(r, 255);
    assert_costs(p, "f", 1, 1 + 4, 0);
    assert_costs(p, "f;g", 1, 2, 0);
    assert_costs(p, "f@2", 0, 8 + 32, 1);
    assert_costs(p, "f@2;g", 1, 0, 0);
    assert_costs(p, "f@2;g@8", 0, 16, 1);
    assert_costs(p, "f@3", 0, 64, 1);
    assert_costs(p, "f@3;g", 1, 128, 0);
    toll_profile_free(p);
}

static void test_lines_and_errors_and_tail_calls(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(NULL);
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    toll_recorder_call(r, G, AT(1));
    toll_recorder_line(r, G8, AT(1));
    toll_recorder_call(r, G, AT(1));
    toll_recorder_unwind(r, 1, AT(3)); /* both g are left: f is at line 2 */
    toll_recorder_call(r, F, AT(7));
    toll_recorder_line(r, F3, AT(7));
    toll_recorder_tail_call(r, G, AT(15)); /* has no place yet */
    toll_recorder_return(r, AT(31));       /* to f at line 2 */
    toll_profile *p = finish(r, 63);
    assert_costs(p, "f@2", 0, 1 + 4 + 32, 1);
    assert_costs(p, "f;g;g", 1, 2, 0);
    assert_costs(p, "f;f@3", 0, 8, 1);
    assert_costs(p, "f;g", 2, 16, 0);
    toll_profile_free(p);
}

static void test_adopted_frames_have_no_place(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(NULL);
    toll_recorder_rebase(r, AT(0));
    toll_recorder_adopt(r, (toll_frame_id[]){ F, G }, 2, AT(0));
    toll_recorder_line(r, G8, AT(1));
    toll_recorder_return(r, AT(3));
    toll_recorder_line(r, F2, AT(7));
    toll_profile *p = finish(r, 15);
    assert_costs(p, "f", 0, 4, 0);
    assert_costs(p, "f;g", 0, 1, 0);
    assert_costs(p, "f;g@8", 0, 2, 1);
    assert_costs(p, "f@2", 0, 8, 1);
    toll_profile_free(p);
}

/* The worked example of docs/semantics.md. */
static void adopted_lines(int call_lines)
{
    toll_recorder *r = make_lines(&(toll_recorder_options){ .call_lines = call_lines });
    toll_recorder_rebase(r, AT(100));
    toll_recorder_adopt(r, (toll_frame_id[]){ F }, 1, AT(100));
    toll_recorder_adopt_line(r, F2, AT(100));
    toll_recorder_adopt(r, (toll_frame_id[]){ G }, 1, AT(100));
    toll_recorder_adopt_line(r, G8, AT(100));
    toll_recorder_line(r, G9, AT(105));
    toll_recorder_return(r, AT(130));
    toll_recorder_line(r, F3, AT(134));
    toll_recorder_return(r, AT(140));
    toll_profile *p = finish(r, 140);
    assert_costs(p, "f@2", 0, 4, 0);
    assert_costs(p, "f@3", 0, 6, 1);
    assert_costs(p, call_lines ? "f@2;g@8" : "f;g@8", 0, 5, 0);
    assert_costs(p, call_lines ? "f@2;g@9" : "f;g@9", 0, 25, 1);
    assert_int_equal(test_sum(p, TICKS), 40);
    toll_profile_free(p);
}

static void test_adopted_lines(void **state)
{
    (void)state;
    adopted_lines(0);
    adopted_lines(1);
}

/* While a section is innermost its node is charged, and the function around it moves on. */
static void sections(int call_lines)
{
    toll_recorder *r = make_lines(&(toll_recorder_options){ .call_lines = call_lines });
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    assert_ok(toll_recorder_section_begin(r, S, AT(1), err));
    assert_ok(toll_recorder_section_begin(r, T, AT(3), err));
    toll_recorder_line(r, F3, AT(7));
    toll_recorder_call(r, G, AT(15));
    toll_recorder_line(r, G8, AT(31));
    assert_ok(toll_recorder_section_end(r, S, AT(63), err)); /* g stays at line 8 */
    toll_recorder_return(r, AT(127));
    assert_ok(toll_recorder_section_end(r, T, AT(255), err)); /* f is at line 3 */
    toll_profile *p = finish(r, 511);
    const char *f = call_lines ? "f@2" : "f", *later = call_lines ? "f@3" : "f";
    assert_costs(p, "f@2", 0, 1, 1);
    assert_costs(p, "f@3", 0, 256, 1);
    assert_costs(p, join(f, "s"), 1, 2, 0);
    assert_costs(p, join(f, "s;t"), 1, 4 + 8, 0);
    assert_costs(p, join(f, "s;t;g"), 1, 16, 0);
    assert_costs(p, join(f, "s;t;g@8"), 0, 32, 1);
    assert_costs(p, join(later, "t;g@8"), 0, 64, 0);
    assert_costs(p, join(later, "t"), 0, 128, 0);
    toll_profile_free(p);
}

static void test_lines_and_sections(void **state)
{
    (void)state;
    sections(0);
    sections(1);
}

/* A section outlives g: it is entered again under f, which is where it was. */
static void test_lines_and_sections_that_outlive_their_function(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(NULL);
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    toll_recorder_call(r, G, AT(0));
    toll_recorder_line(r, G8, AT(0));
    assert_ok(toll_recorder_section_begin(r, S, AT(1), err));
    toll_recorder_return(r, AT(3));
    toll_recorder_line(r, F3, AT(7));
    assert_ok(toll_recorder_section_end(r, S, AT(15), err));
    toll_profile *p = finish(r, 31);
    assert_costs(p, "f;g@8", 0, 1, 1);
    assert_costs(p, "f;g;s", 1, 2, 0);
    assert_costs(p, "f;s", 0, 4 + 8, 0);
    assert_costs(p, "f@3", 0, 16, 1);
    toll_profile_free(p);
}

static void test_lines_without_a_node_are_counted(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(&(toll_recorder_options){ .max_depth = 1 });
    toll_recorder_line(r, F2, AT(0));
    assert_ok(toll_recorder_section_begin(r, S, AT(0), err));
    toll_recorder_line(r, F2, AT(0)); /* in a section, and in no function */
    assert_ok(toll_recorder_section_end(r, S, AT(0), err));
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    toll_recorder_call(r, G, AT(1));
    toll_recorder_line(r, G8, AT(2)); /* folded: f at line 2 pays */
    toll_recorder_return(r, AT(3));
    toll_recorder_line(r, TOLL_NONE, AT(7)); /* f has no place from now on */
    toll_profile *p = finish(r, 15);
    assert_costs(p, "f@2", 0, 7, 1);
    assert_costs(p, "f", 1, 8, 1);
    assert_int_equal(test_note(p, "lines without a call"), 2);
    assert_int_equal(test_note(p, "executions of lines in folded calls"), 1);
    assert_int_equal(test_note(p, "lines that were never registered"), 1);
    toll_profile_free(p);
}

/* What each coroutine was at, it is at when it runs again. */
static void coroutines(int join, int call_lines)
{
    toll_track *co;
    toll_recorder *r =
        make_lines(&(toll_recorder_options){ .call_lines = call_lines, .join_threads = join });
    toll_track *main_track = toll_recorder_main_track(r);
    assert_ok(toll_recorder_new_track(r, "co", &co, err));
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    toll_recorder_resume(r, co, AT(1));
    toll_recorder_call(r, G, AT(1));
    toll_recorder_line(r, G8, AT(1));
    toll_recorder_switch(r, main_track, AT(3));
    toll_recorder_line(r, F3, AT(7)); /* resumed from another line, and from another frame */
    toll_recorder_resume(r, co, AT(15));
    toll_recorder_switch(r, main_track, AT(31));
    toll_recorder_call(r, F, AT(63));
    toll_recorder_resume(r, co, AT(127));
    toll_recorder_switch(r, main_track, AT(255));
    toll_recorder_return(r, AT(511));
    toll_profile *p = finish(r, 1023);
    assert_costs(p, "f@2", 0, 1 + 4, 1);
    assert_costs(p, "f@3", 0, 8 + 32 + 512, 1);
    if (!join) {
        assert_int_equal(self_of(p, "co", "g@8", TICKS), 2 + 16 + 128);
    } else if (call_lines) {
        assert_costs(p, "f@2;g@8", 0, 2, 1);
        assert_costs(p, "f@3;g@8", 0, 16, 0);
        assert_costs(p, "f@3;f;g@8", 0, 128, 0);
    } else {
        assert_costs(p, "f;g@8", 0, 2 + 16, 1);
        assert_costs(p, "f;f;g@8", 0, 128, 0);
    }
    assert_int_equal(test_sum(p, TICKS), 1023);
    toll_profile_free(p);
}

static void test_lines_and_coroutines(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        coroutines(i & 1, i >> 1);
}

static void test_a_timeline_shows_no_places(void **state)
{
    (void)state;
    toll_timeline *t;
    toll_track *co;
    assert_ok(toll_timeline_create(NULL, (toll_value_type){ "ticks", "count" }, 1, &t, err));
    toll_recorder *r = make_lines(&(toll_recorder_options){ .timeline = t });
    assert_ok(toll_recorder_new_track(r, "co", &co, err));
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(1));
    toll_recorder_resume(r, co, AT(2));
    toll_recorder_switch(r, toll_recorder_main_track(r), AT(3));
    toll_recorder_return(r, AT(9)); /* f is opened again, and closed */
    toll_profile_free(finish(r, 9));
    assert_int_equal(toll_timeline_event_count(t), 4);
    assert_int_equal(toll_profile_has_places(toll_timeline_names(t)), 0);
    toll_timeline_free(t);
}

/* A forked child: what was counted is forgotten, and each frame is where it was. */
static void test_lines_start_over(void **state)
{
    (void)state;
    toll_recorder *r = make_lines(&(toll_recorder_options){ .heap = 1 });
    toll_recorder_call(r, F, AT(0));
    toll_recorder_line(r, F2, AT(0));
    toll_recorder_call(r, G, AT(1));
    toll_recorder_line(r, G8, AT(2));
    toll_recorder_heap_alloc(r, 1, 100);
    toll_recorder_start_over(r);
    toll_recorder_return(r, AT(4));
    toll_profile *p = finish(r, 8);
    assert_costs(p, "f;g@8", 0, 2, 0);
    assert_costs(p, "f@2", 0, 4, 0);
    assert_int_equal(self_of(p, "main", "f;g@8", toll_profile_find_column(p, "inuse_space")), 100);
    toll_profile_free(p);
}

static void test_call_lines_need_lines(void **state)
{
    (void)state;
    toll_recorder *r;
    toll_error err;
    toll_recorder_options o = { .size = sizeof o, .call_lines = 1 };
    assert_int_equal(toll_recorder_create(&o, &r, &err), TOLL_E_ARGUMENT);
    assert_string_equal(err.text, "call_lines needs lines");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_worked_example),
        cmocka_unit_test(test_a_frame_remembers_its_place),
        cmocka_unit_test(test_lines_of_calls),
        cmocka_unit_test(test_lines_and_errors_and_tail_calls),
        cmocka_unit_test(test_adopted_frames_have_no_place),
        cmocka_unit_test(test_adopted_lines),
        cmocka_unit_test(test_lines_and_sections),
        cmocka_unit_test(test_lines_and_sections_that_outlive_their_function),
        cmocka_unit_test(test_lines_without_a_node_are_counted),
        cmocka_unit_test(test_lines_and_coroutines),
        cmocka_unit_test(test_a_timeline_shows_no_places),
        cmocka_unit_test(test_lines_start_over),
        cmocka_unit_test(test_call_lines_need_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
