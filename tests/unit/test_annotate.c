/* test_annotate.c - listings: lines add up to their functions, recursion counts once, moved
 * functions are compared, and source text cannot control a terminal. */
#include "support.h"

static toll_node_id child(toll_profile *p, toll_node_id parent, toll_frame f)
{
    toll_frame_id frame;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    assert_ok(toll_profile_add_child(p, parent, frame, &node, err));
    return node;
}

static void add(toll_profile *p, toll_node_id node, uint32_t column, int64_t value)
{
    assert_ok(toll_profile_add_self(p, node, column, value, err));
}

/* f is defined at `line` of a.c. It has a cost of 5 at its second line, 7 at its third, from which
 * it called itself (with 20 at the second line), and 3 at no line. An earlier column has no lines.
 */
static toll_profile *make(const toll_allocator *a, uint32_t line)
{
    toll_profile *p;
    toll_thread_id t;
    toll_frame f = { .name = "f", .file = "a.c", .line = line };
    toll_frame second = f, third = f;
    second.at_line = line + 1;
    third.at_line = line + 2;
    assert_ok(toll_profile_create(a, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "line ticks", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    toll_node_id root = toll_profile_root(p, t), at = child(p, root, third);
    add(p, child(p, root, f), 0, 35);
    add(p, child(p, root, f), 1, 3);
    add(p, child(p, root, second), 1, 5);
    add(p, at, 1, 7);
    add(p, child(p, at, second), 1, 20);
    return p;
}

static const char source[] = "one\ntwo\t=\x1b[31m 2\r\n\tthree\n";

static toll_status give_source(void *user, const char *file, const char **text, size_t *size,
                               toll_error *err)
{
    (void)err;
    assert_string_equal(file, "a.c");
    *text = user;
    *size = user ? strlen(user) : 0;
    return TOLL_OK;
}

static void expect(const toll_profile *before, toll_annotate_options o, const char *expected)
{
    toll_profile *p = make(NULL, before ? 2 : 1), *aligned = NULL;
    toll_output *out;
    size_t size;
    o.size = sizeof o;
    if (before)
        assert_ok(toll_profile_align(before, p, &aligned, err));
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_annotate(p, aligned ? aligned : before, &o, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_string_equal(toll_output_data(out, &size), expected);
    toll_output_free(out);
    toll_profile_free(aligned);
    toll_profile_free(p);
}

/* Line 2 has a cost of 5 itself, and of 20 in the call from line 3, which has 7 and these 20. */
static void test_lines_add_up_to_their_function(void **state)
{
    (void)state;
    expect(NULL, (toll_annotate_options){ .value = "line ticks" },
           "line ticks: 35 in 1 function\n"
           "\n"
           "f  a.c:1\n"
           "self 35 (100.0%), total 35 (100.0%)\n"
           "self%  self  total  line\n"
           " 8.6%     3      3     -  (no line)\n"
           "71.4%    25     25     2\n"
           "20.0%     7     27     3\n");
}

static void test_the_value_that_is_known_by_line(void **state)
{
    (void)state;
    expect(NULL,
           (toll_annotate_options){
               .source = give_source, .source_user = (void *)(uintptr_t)source, .what = "a.c" },
           "line ticks: 35 in 1 file\n"
           "\n"
           "a.c\n"
           "self 35 (100.0%), total 35 (100.0%)\n"
           "self%  self  total  line\n"
           " 8.6%     3      3     -  (no line)\n"
           "                       1  one\n"
           "71.4%    25     25     2  two     =\\x1b[31m 2\n"
           "20.0%     7     27     3          three\n"
           "\n"
           "note: this profile says which function spent ticks, but not which line; the figures "
           "above are line ticks, which it has by line\n");
}

/* The function has moved down by one line, and its lines are compared. */
static void test_functions_that_moved_are_compared(void **state)
{
    (void)state;
    toll_profile *before = make(NULL, 1);
    expect(before, (toll_annotate_options){ .value = "line ticks" },
           "line ticks: 0: 35 before, 35 after in 0 functions\n");
    toll_frame second = { .name = "f", .file = "a.c", .line = 1, .at_line = 2 };
    toll_frame gone = { .name = "gone", .file = "a.c", .line = 9, .at_line = 9 };
    add(before, child(before, toll_profile_root(before, 0), second), 1, 4);
    add(before, child(before, toll_profile_root(before, 0), gone), 1, 1);
    expect(before, (toll_annotate_options){ .value = "line ticks" },
           "line ticks: -5: 40 before, 35 after in 2 functions\n"
           "\n"
           "f  a.c:2\n"
           "-4: 39 before, 35 after\n"
           "change  before  after  line\n"
           "     0       3      3     -  (no line)\n"
           "    -4      29     25     3\n"
           "     0       7      7     4\n"
           "\n"
           "gone  a.c:9\n"
           "-1: 1 before, 0 after\n"
           "change  before  after  line\n"
           "    -1       1      0     9\n");
    toll_profile_free(before);
}

/* Thirty lines: the 10th has a cost of 1,000, each other one has 1. */
static toll_profile *make_long(void)
{
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    for (uint32_t line = 1; line <= 30; line++) {
        toll_frame f = { .name = "long", .file = "long.c", .line = 1, .at_line = line };
        toll_frame other = { .name = "other", .file = "other.c", .line = 9, .at_line = 7 };
        other.at_file = "long.c";
        add(p, child(p, toll_profile_root(p, t), f), 0, line == 10 ? 1000 : 1);
        if (line == 10)
            add(p, child(p, toll_profile_root(p, t), other), 0, 71);
    }
    return p;
}

static void expect_of(const toll_profile *p, const toll_profile *before, toll_annotate_options o,
                      const char *expected)
{
    toll_output *out;
    size_t size;
    o.size = sizeof o;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_annotate(p, before, &o, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_string_equal(toll_output_data(out, &size), expected);
    toll_output_free(out);
}

/* 6 + 1 + 1 + 1 + 1,000 + 1 + 1 + 1 + 17 = 1,029: the column sums up to the function. */
static void test_what_is_folded_is_summed_up(void **state)
{
    (void)state;
    toll_profile *p = make_long();
    expect_of(p, NULL, (toll_annotate_options){ .what = "long", .threshold = 0.01 },
              "ticks: 1,100 in 1 function\n"
              "\n"
              "long  long.c:1\n"
              "self 1,029 (93.5%), total 1,029 (93.5%)\n"
              "self%   self  line\n"
              " 0.5%      6   ...  6 lines\n"
              " 0.1%      1     7\n"
              " 0.1%      1     8\n"
              " 0.1%      1     9\n"
              "90.9%  1,000    10\n"
              " 0.1%      1    11\n"
              " 0.1%      1    12\n"
              " 0.1%      1    13\n"
              " 1.5%     17   ...  17 lines\n"
              "\n"
              "... folded above: 23 small lines, 23 (2.1%) (--threshold)\n");
    toll_profile_free(p);
}

/* Line 7 of long.c is in two functions. */
static void test_the_costliest_lines(void **state)
{
    (void)state;
    toll_profile *p = make_long();
    expect_of(p, NULL, (toll_annotate_options){ .top = 3 },
              "ticks: 1,100 in 30 lines\n"
              "self%   self  line       function  source\n"
              "90.9%  1,000  long.c:10  long\n"
              " 6.5%     72  long.c:7   other +1\n"
              " 0.1%      1  long.c:1   long\n"
              "\n"
              "... and 27 more lines: 27 (2.5%) (--top)\n");
    expect_of(p, NULL, (toll_annotate_options){ .top = UINT32_MAX, .threshold = 0.01 },
              "ticks: 1,100 in 30 lines\n"
              "self%   self  line       function  source\n"
              "90.9%  1,000  long.c:10  long\n"
              " 6.5%     72  long.c:7   other +1\n"
              "\n"
              "... and 28 more lines: 28 (2.5%) (--top)\n");
    expect_of(p, NULL, (toll_annotate_options){ .top = 9, .what = "other" },
              "ticks: 1,100 in 1 line\n"
              "self%  self  line      function  source\n"
              " 6.5%    71  long.c:7  other\n");
    toll_profile *after = make_long();
    toll_frame f = { .name = "a name that is longer than the columns", .file = "/x/long.c" };
    f.at_line = 2;
    add(after, child(after, toll_profile_root(after, 0), f), 0, 5);
    f.file = "/y/long.c";
    add(after, child(after, toll_profile_root(after, 0), f), 0, 2);
    expect_of(after, p, (toll_annotate_options){ .top = 9 },
              "ticks: +7: 1,100 before, 1,107 after in 2 lines\n"
              "change  before  after  line         function                                source\n"
              "    +5       0      5  /x/long.c:2  a name that is longer than the columns\n"
              "    +2       0      2  /y/long.c:2  a name that is longer than the columns\n");
    toll_profile_free(after);
    toll_profile_free(p);
}

static toll_status give_sources(void *user, const char *file, const char **text, size_t *size,
                                toll_error *err)
{
    (void)user;
    (void)err;
    *text = strcmp(file, "/a/x.c") == 0 ? "\t first  line \t\n  \n\nlast;" : "one\n  t wo  ";
    *size = strlen(*text);
    return TOLL_OK;
}

/* Texts are shown without blanks around them, and files of one name with their folders. */
static void test_the_costliest_lines_of_several_files(void **state)
{
    static const struct {
        const char *file, *function;
        uint32_t line;
        int64_t cost;
    } lines[] = { { "/a/x.c", "f", 4, 8 },  { "/a/x.c", "f", 2, 7 }, { "/b/x.c", "g", 2, 7 },
                  { "/a/x.c", "f", 1, 6 },  { "/a/y.c", "h", 2, 5 }, { "/a/x.c", "f", 3, 4 },
                  { "/a/x.c", "f", 5, 3 },  { "/a/y.c", "h", 1, 2 }, { "/a/y.c", "k", 0, 9 },
                  { "/a/x.c", "ff", 1, 1 }, { "/a/y.c", "h", 3, 1 } };
    toll_profile *p;
    toll_thread_id t;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        toll_frame f = {
            .name = lines[i].function, .file = lines[i].file, .line = 1, .at_line = lines[i].line
        };
        add(p, child(p, toll_profile_root(p, t), f), 0, lines[i].cost);
    }
    expect_of(p, NULL, (toll_annotate_options){ .top = 20, .source = give_sources },
              "ticks: 53 in 10 lines\n"
              "self%  self  line      function  source\n"
              "17.0%     9  y.c       k         (no line)\n"
              "15.1%     8  /a/x.c:4  f         last;\n"
              "13.2%     7  /a/x.c:1  f +1      first  line\n"
              "13.2%     7  /a/x.c:2  f\n"
              "13.2%     7  /b/x.c:2  g         t wo\n"
              " 9.4%     5  y.c:2     h         t wo\n"
              " 7.5%     4  /a/x.c:3  f\n"
              " 5.7%     3  /a/x.c:5  f\n"
              " 3.8%     2  y.c:1     h         one\n"
              " 1.9%     1  y.c:3     h\n");
    expect_of(p, NULL, (toll_annotate_options){ .top = 4, .source = give_sources },
              "ticks: 53 in 10 lines\n"
              "self%  self  line   function  source\n"
              "17.0%     9  y.c    k         (no line)\n"
              "15.1%     8  x.c:4  f         last;\n"
              "13.2%     7  x.c:1  f +1      first  line\n"
              "13.2%     7  x.c:2  f\n"
              "\n"
              "... and 6 more lines: 22 (41.5%) (--top)\n");
    toll_profile_free(p);
}

static void test_names_in_their_short_form(void **state)
{
    (void)state;
    toll_profile *p = make_long();
    toll_frame f = { .name = "std::__2::f<a, b, c>(int, int)", .file = "x.h", .at_line = 3 };
    add(p, child(p, toll_profile_root(p, 0), f), 0, 1100);
    expect_of(p, NULL, (toll_annotate_options){ .what = "<a, b", .short_names = 1 },
              "ticks: 2,200 in 1 function\n"
              "\n"
              "std::f<...>(...)  x.h\n"
              "self 1,100 (50.0%), total 1,100 (50.0%)\n"
              "self%   self  line\n"
              "50.0%  1,100     3\n");
    expect_of(p, NULL, (toll_annotate_options){ .top = 1, .what = "<a, b", .short_names = 1 },
              "ticks: 2,200 in 1 line\n"
              "self%   self  line   function          source\n"
              "50.0%  1,100  x.h:3  std::f<...>(...)\n");
    expect_of(p, NULL, (toll_annotate_options){ .top = 1, .what = "<a, b" },
              "ticks: 2,200 in 1 line\n"
              "self%   self  line   function                        source\n"
              "50.0%  1,100  x.h:3  std::__2::f<a, b, c>(int, int)\n");
    toll_profile_free(p);
}

/* Lines 20, 40, 60 of `f` have these costs, and line 9 of `g` has 800. */
static toll_profile *make_three(int64_t at_20, int64_t at_40, int64_t at_60)
{
    const int64_t costs[] = { at_20, at_40, at_60 };
    toll_profile *p;
    toll_thread_id t;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    for (uint32_t i = 0; i < 3; i++) {
        toll_frame f = { .name = "f", .file = "f.c", .line = 1, .at_line = 20 * (i + 1) };
        add(p, child(p, toll_profile_root(p, t), f), 0, costs[i]);
    }
    toll_frame g = { .name = "g", .file = "g.c", .line = 1, .at_line = 9 };
    add(p, child(p, toll_profile_root(p, t), g), 0, 800);
    return p;
}

/* Is line 40 shown? */
static void expect_line_40(const toll_profile *p, const toll_profile *before, double threshold,
                           const char *what, bool shown)
{
    toll_output *out;
    size_t size;
    const toll_annotate_options o = { .size = sizeof o, .threshold = threshold, .what = what };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_annotate(p, before, &o, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    if ((strstr(toll_output_data(out, &size), " 40\n") != NULL) != shown)
        fail_msg("threshold %g: %s", threshold, (const char *)toll_output_data(out, &size));
    toll_output_free(out);
}

/* What is as large as the threshold is shown. It is a share of the function if one is named, else
 * of all; in a comparison, of all changes, whether they go up or down. */
static void test_what_is_at_the_threshold(void **state)
{
    (void)state;
    toll_profile *p = make_three(150, 4, 46), *before = make_three(250, 0, 142);
    expect_line_40(p, NULL, 4.0 / 200, "f", true);
    expect_line_40(p, NULL, 4.01 / 200, "f", false);
    expect_line_40(p, NULL, 4.0 / 1000, NULL, true);
    expect_line_40(p, NULL, 4.01 / 1000, NULL, false);
    expect_line_40(p, before, 4.0 / 200, "f", true);
    expect_line_40(p, before, 4.01 / 200, "f", false);
    expect_line_40(p, before, 4.0 / 200, NULL, true);
    expect_line_40(p, before, 4.01 / 200, NULL, false);
    toll_frame g = { .name = "g", .file = "g.c", .line = 1, .at_line = 9 };
    add(before, child(before, toll_profile_root(before, 0), g), 0, 200);
    expect_line_40(p, before, 4.0 / 200, "f", true);
    expect_line_40(p, before, 4.0 / 400, NULL, true);
    expect_line_40(p, before, 4.01 / 400, NULL, false);
    toll_profile_free(before);
    toll_profile_free(p);
}

static void test_what_is_no_threshold(void **state)
{
    (void)state;
    static const double wrong[] = { -0.5, 1, 2 };
    toll_profile *p = make_long();
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const toll_annotate_options o = { .size = sizeof o, .threshold = wrong[i] };
        assert_int_equal(toll_report_annotate(p, NULL, &o, out, NULL), TOLL_E_ARGUMENT);
    }
    toll_output_free(out);
    toll_profile_free(p);
}

static toll_status annotate(const toll_allocator *a, void *user)
{
    toll_profile *p = NULL, *before = NULL;
    toll_output *out = NULL;
    toll_allocator own = *a;
    toll_annotate_options o = { .size = sizeof o,
                                .value = "line ticks",
                                .short_names = 1,
                                .source = give_source,
                                .source_user = (void *)(uintptr_t)source };
    o.top = user && strcmp(user, "top") == 0 ? 2 : 0;
    /* Only annotating may run out of memory: the profiles are made before. */
    size_t allowed = ((test_allocator *)own.user)->allowed;
    ((test_allocator *)own.user)->allowed = SIZE_MAX;
    p = make(a, 2);
    before = make(a, 1);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    ((test_allocator *)own.user)->allowed = allowed;
    ((test_allocator *)own.user)->made = 0;
    toll_status status = user && !o.top ? toll_report_annotate_json(p, NULL, &o, out, NULL)
                                        : toll_report_annotate(p, before, &o, out, NULL);
    toll_output_free(out);
    toll_profile_free(before);
    toll_profile_free(p);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(annotate, NULL);
    test_every_allocation(annotate, (void *)(uintptr_t) "json");
    test_every_allocation(annotate, (void *)(uintptr_t) "top");
}

/* Lines beyond the end of the source, and the largest possible line. */
static void test_lines_at_the_end_of_numbers(void **state)
{
    (void)state;
    toll_profile *p = make(NULL, UINT32_MAX - 2);
    toll_annotate_options o = { .size = sizeof o,
                                .value = "line ticks",
                                .full = 1,
                                .source = give_source,
                                .source_user = (void *)(uintptr_t)source };
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_annotate(p, NULL, &o, out, err));
    o.what = "a.c";
    assert_ok(toll_report_annotate(p, NULL, &o, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    const char *text = toll_output_data(out, &size);
    assert_non_null(strstr(text, "20.0%     7     27  4294967295  (not in this source)\n"));
    toll_output_free(out);
    toll_profile_free(p);
}

/* Addresses whose lines were not looked up. */
/* b;f has a self value of 14e18 and a total of 6e18, since g is negative. */
static void test_what_a_line_called_does_not_fit(void **state)
{
    (void)state;
    enum { MANY = 1000 * 1000 * 1000 };
    const int64_t unit = (int64_t)MANY * MANY;
    toll_profile *p = make(NULL, 1);
    toll_output *out;
    const toll_frame a = { .name = "a" }, b = { .name = "b" }, f = { .name = "k", .file = "a.c" },
                     g = { .name = "g" };
    toll_node_id root = toll_profile_root(p, 0), at = child(p, child(p, root, b), f);
    add(p, child(p, child(p, root, a), f), 0, -6 * unit);
    add(p, at, 0, 9 * unit);
    add(p, child(p, at, f), 0, 5 * unit);
    add(p, child(p, at, g), 0, -8 * unit);
    const toll_annotate_options o = { .size = sizeof o, .value = "line ticks" };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_report_annotate(p, NULL, &o, out, NULL), TOLL_E_OVERFLOW);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_addresses_without_lines(void **state)
{
    (void)state;
    toll_profile *p;
    toll_thread_id t;
    toll_output *out;
    toll_error e;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &t, err));
    toll_frame f = { .name = "f", .module = "app.wasm", .at_address = 64 };
    add(p, child(p, toll_profile_root(p, t), f), 0, 1);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_report_annotate(p, NULL, NULL, out, &e), TOLL_E_NOT_FOUND);
    assert_string_equal(e.text, "the profile has no lines of ticks, but addresses; toll convert "
                                "--debug FILE finds their lines, FILE being the program with "
                                "debug information, and --asm shows instructions");
    toll_output_free(out);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_add_up_to_their_function),
        cmocka_unit_test(test_the_value_that_is_known_by_line),
        cmocka_unit_test(test_functions_that_moved_are_compared),
        cmocka_unit_test(test_what_is_folded_is_summed_up),
        cmocka_unit_test(test_the_costliest_lines),
        cmocka_unit_test(test_the_costliest_lines_of_several_files),
        cmocka_unit_test(test_names_in_their_short_form),
        cmocka_unit_test(test_what_is_at_the_threshold),
        cmocka_unit_test(test_what_is_no_threshold),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_lines_at_the_end_of_numbers),
        cmocka_unit_test(test_what_a_line_called_does_not_fit),
        cmocka_unit_test(test_addresses_without_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
