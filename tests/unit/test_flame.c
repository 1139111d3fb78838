/* test_flame.c - flame graphs as text and as a picture: boxes and omitted frames add up; hostile
 * names; failures. */
#include "support.h"

#include "report/flame.h"

static toll_profile *profile_of(const char *folded)
{
    toll_input *in;
    toll_profile *p;
    assert_ok(toll_input_from_memory(NULL, folded, strlen(folded), "folded", &in, err));
    assert_ok(toll_profile_read(in, "folded", NULL, NULL, &p, err));
    toll_input_free(in);
    return p;
}

static char *flame_of(const toll_profile *p, const toll_flame_options *o)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_flame(p, o, out, err));
    return test_text(out);
}

static char *svg_of(const toll_profile *p)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "svg", NULL, out, err));
    return test_text(out);
}

/* The boxes of a stack's children are beside one another, within the stack's own box. The totals of
 * the omitted frames of a level make up for what its boxes lack. */
static void test_boxes_and_what_is_left_out_sum_up(void **state)
{
    (void)state;
    toll_profile *p = profile_of("a;b;c 50\na;b;d 7\na;b;e;f 3\na;g 30\na;h 1\ni 9\n");
    static const struct {
        int64_t least;
        uint32_t rows;
    } cases[] = { { 1, 0 }, { 8, 0 }, { 1, 2 }, { 8, 3 }, { 100, 0 }, { 101, 0 } };
    toll_flame f;
    assert_ok(toll_flame_create(&f, p, &(toll_flame_options)TOLL_FLAME_OPTIONS_INIT, err));
    assert_int_equal(f.whole, 100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(toll_flame_fill(&f, cases[i].least, cases[i].rows, err));
        int64_t end = 0;
        uint32_t depth = 0;
        for (size_t k = 0; k < f.count; k++) {
            const toll_flame_box *b = &f.boxes[k];
            assert_true(b->total >= cases[i].least);
            assert_true(b->depth > depth || b->start >= end || k == 0);
            depth = b->depth;
            end = b->start + b->total;
            assert_true(end <= 100);
        }
        assert_int_equal(f.count + f.narrow.frames + f.deep.frames, 10);
        assert_true(f.narrow.total + f.deep.total <= 100);
    }
    assert_int_equal(f.count, 0);
    assert_int_equal(f.narrow.total, 100);
    assert_ok(toll_flame_fill(&f, 8, 0, err));
    assert_int_equal(f.narrow.frames, 4); /* d, e with f, h */
    assert_int_equal(f.narrow.total, 7 + 3 + 1);
    assert_ok(toll_flame_fill(&f, 1, 2, err));
    assert_int_equal(f.count, 3); /* the thread, a, i */
    assert_int_equal(f.deep.frames, 7);
    assert_int_equal(f.deep.total, 60 + 30 + 1);
    assert_ok(toll_flame_fill(&f, 8, 2, err));
    assert_int_equal(f.deep.total, 60 + 30);
    assert_int_equal(f.narrow.total, 1);
    toll_flame_free(&f);
    toll_profile_free(p);
}

static void test_a_flame_graph_of_letters(void **state)
{
    (void)state;
    toll_profile *p = profile_of("main;long_name_of_a_function 30\nmain;g 9\nmain 1\n");
    toll_flame_options o = { .size = sizeof o, .width = 20 };
    char *text = flame_of(p, &o);
    assert_string_equal(text, "samples: 40 in all; a column is 2\n"
                              "|(all)--------------\n"
                              "|main---------------\n"
                              "|long_name_of_a|g--\n");
    free(text);
    o.rows = 2;
    text = flame_of(p, &o);
    assert_non_null(strstr(text, "left out: 2 frames below the last row: 39, 97.5%"));
    free(text);
    toll_profile_free(p);
}

static void test_colors(void **state)
{
    (void)state;
    toll_profile *p = profile_of("f 1\n");
    toll_flame_options o = { .size = sizeof o, .width = 20, .colors = TOLL_COLORS_24_BIT };
    char *text = flame_of(p, &o);
    assert_non_null(strstr(text, "\x1b[30;48;2;200;200;200m(all)               \x1b[0m\n"));
    free(text);
    o.colors = TOLL_COLORS_256;
    text = flame_of(p, &o);
    assert_non_null(strstr(text, "\x1b[30;48;5;188m(all)               \x1b[0m\n"));
    free(text);
    toll_profile_free(p);
}

/* Names are cut between characters and escapes, and control nothing. */
static void test_hostile_names(void **state)
{
    (void)state;
    toll_profile *p = profile_of("\x1b[31m</title><script>alert(1)</script>;"
                                 "\xc3\xa9\xc3\xa9\xc3\xa9\xe2\x80\xae\"'& 5\n");
    toll_flame_options o = { .size = sizeof o, .width = 20 };
    char *text = flame_of(p, &o);
    assert_null(strchr(text, 0x1b));
    assert_non_null(strstr(text, "|\\x1b[31m</title><sc\n"));
    assert_non_null(strstr(text, "|\xc3\xa9\xc3\xa9\xc3\xa9\\u202e\"'&-------\n"));
    free(text);
    text = svg_of(p);
    assert_null(strchr(text, 0x1b));
    assert_null(strstr(text, "<script"));
    assert_non_null(strstr(text, "\\x1b[31m&lt;/title&gt;&lt;script&gt;"));
    assert_non_null(strstr(text, "\\u202e&quot;'&amp;"));
    free(text);
    toll_profile_free(p);
}

/* Characters that XML must not contain, not even escaped. */
static void test_no_characters_of_xml(void **state)
{
    (void)state;
    toll_profile *p = profile_of("a\xef\xbf\xbe"
                                 "b\xef\xbf\xbf 1\n");
    char *text = svg_of(p);
    assert_null(strstr(text, "\xef\xbf\xbe"));
    assert_null(strstr(text, "\xef\xbf\xbf"));
    assert_non_null(strstr(text, "a\xef\xbf\xbd"
                                 "b\xef\xbf\xbd"));
    free(text);
    toll_profile_free(p);
}

/* Units come from files, too. */
static void test_hostile_units(void **state)
{
    toll_profile *p;
    toll_thread_id thread;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "cost", "<b>&\"", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &thread, err));
    assert_ok(toll_profile_add_self(p, toll_profile_root(p, thread), 0, 7, err));
    char *svg = svg_of(p);
    assert_null(strstr(svg, "<b>"));
    assert_non_null(strstr(svg, "7 &lt;b&gt;&amp;&quot;"));
    free(svg);
    toll_profile_free(p);
}

/* The picture of a large profile stays small, and says what it omits. */
static void test_a_picture_stays_small(void **state)
{
    (void)state;
    toll_profile *p = profile_of("a 1\n");
    char stack[64];
    for (int i = 0; i < 4000; i++) {
        snprintf(stack, sizeof stack, "a;function_of_a_long_name_%d;b;c", i % 1000 + i / 1000);
        test_add_stack(p, "", stack, 0, 10 + i % 7);
    }
    char *text = svg_of(p);
    assert_true(strlen(text) < 100000);
    assert_non_null(strstr(text, "left out: "));
    assert_non_null(strstr(text, "frames of less than "));
    assert_non_null(strstr(text, "</svg>\n"));
    free(text);
    toll_profile_free(p);
}

static void test_negative_values_are_refused(void **state)
{
    (void)state;
    toll_profile *p = profile_of("a 5\nb -1\n");
    toll_output *out;
    toll_error why = { TOLL_OK, "" };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_report_flame(p, NULL, out, &why), TOLL_E_UNSUPPORTED);
    assert_non_null(strstr(why.text, "negative"));
    assert_int_equal(toll_profile_write(p, NULL, "svg", NULL, out, NULL), TOLL_E_UNSUPPORTED);
    toll_output_free(out);
    toll_profile_free(p);
}

/* A stack of 100,000 frames: no recursion of ours, and no time by depth times rows. */
static void test_deep_stacks(void **state)
{
    (void)state;
    toll_profile *p;
    toll_frame_id frame;
    toll_frame f = { .name = "f" };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "", NULL, err));
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    toll_node_id node = toll_profile_root(p, 0);
    for (int i = 0; i < 100000; i++)
        assert_ok(toll_profile_add_child(p, node, frame, &node, err));
    assert_ok(toll_profile_add_self(p, node, 0, 1, err));
    char *text = flame_of(p, NULL);
    assert_true(strlen(text) > 100000 * 81);
    free(text);
    text = svg_of(p);
    assert_non_null(strstr(text, "below the last row: 1, 100.0%"));
    free(text);
    toll_profile_free(p);
}

static void test_the_largest_values_have_places(void **state)
{
    (void)state;
    toll_profile *p = profile_of("a 4611686018427387904\nb 4611686018427387903\n");
    toll_flame_options o = { .size = sizeof o, .width = 20 };
    char *text = flame_of(p, &o);
    assert_non_null(strstr(text, "\n|a--------|b--------\n"));
    free(text);
    toll_profile_free(p);
}

static toll_status draw_in(const toll_allocator *allocator, void *user)
{
    static const char folded[] = "a;b 3\na;c 4\n";
    const char *format = user;
    toll_profile *p = NULL;
    toll_output *out = NULL;
    toll_input *in;
    toll_status status =
        toll_input_from_memory(allocator, folded, sizeof folded - 1, "folded", &in, NULL);
    if (status)
        return status;
    status = toll_profile_read(in, "folded", NULL, NULL, &p, NULL);
    toll_input_free(in);
    if (!status)
        status = toll_output_to_memory(allocator, 0, &out, NULL);
    if (!status)
        status = format ? toll_profile_write(p, NULL, format, NULL, out, NULL)
                        : toll_report_flame(p, NULL, out, NULL);
    if (!status)
        status = toll_output_commit(out, NULL);
    toll_output_free(out);
    toll_profile_free(p);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    char svg[] = "svg"; /* whether there is nothing to prune is not known without memory */
    test_allocations(draw_in, svg, true);
    test_allocations(draw_in, NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_and_what_is_left_out_sum_up),
        cmocka_unit_test(test_a_flame_graph_of_letters),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_no_characters_of_xml),
        cmocka_unit_test(test_hostile_units),
        cmocka_unit_test(test_a_picture_stays_small),
        cmocka_unit_test(test_negative_values_are_refused),
        cmocka_unit_test(test_deep_stacks),
        cmocka_unit_test(test_the_largest_values_have_places),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
