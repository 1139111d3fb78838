/* test_stacks_size.c - deep stacks do not make files huge. Formats that write each stack in full
 * fold the deepest ones, with the same sums, unless all are requested; then a warning says how
 * large the file becomes. */
#include "support.h"

#include <stdint.h>
#include <stdlib.h>

enum { DEPTH = 2000, STACK_FRAMES = DEPTH * (DEPTH + 1) / 2, MOST_NAME = 200 };

/* In each thread, DEPTH nested calls of a function whose name has `name_size` bytes; each spent 1.
 */
static toll_profile *make_deep(size_t name_size, int threads)
{
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id frame;
    char name[MOST_NAME + 1] = "";
    memset(name, 'd', name_size);
    const toll_frame f = { .name = name };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "samples", "count", NULL, err));
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    for (int t = 0; t < threads; t++) {
        char thread_name[2] = { (char)('a' + t), 0 };
        assert_ok(toll_profile_add_thread(p, thread_name, &thread, err));
        toll_node_id node = toll_profile_root(p, thread);
        for (int i = 0; i < DEPTH; i++) {
            assert_ok(toll_profile_add_child(p, node, frame, &node, err));
            assert_ok(toll_profile_add_self(p, node, 0, 1, err));
        }
    }
    return p;
}

static void keep_megabytes(void *user, const char *text)
{
    const char *about = strstr(text, "deep: about ");
    if (about)
        *(long *)user = strtol(about + strlen("deep: about "), NULL, 10);
}

/* The size in the warning is that of the frames, `frame_size` bytes each; 0: there is no warning.
 */
static void assert_told_of(int threads, const char *format, size_t name_size, long frame_size)
{
    toll_profile *p = make_deep(name_size, threads);
    toll_output *out;
    long told = 0;
    const toll_format_options options = {
        .size = sizeof options, .warn = keep_megabytes, .warn_user = &told, .stack_bytes = SIZE_MAX
    };
    assert_ok(toll_output_open(NULL, "/dev/null", 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, format, &options, out, err));
    toll_output_free(out);
    assert_int_equal(told, frame_size * STACK_FRAMES / 1000000);
    toll_profile_free(p);
}

static void assert_told(const char *format, size_t name_size, long frame_size)
{
    assert_told_of(1, format, name_size, frame_size);
}

/* NAME; */
static void test_stacks_size_folded(void **state)
{
    (void)state;
    assert_told("folded", 150, 151);
}

/* "NAME", twice. */
static void test_stacks_size_perfview(void **state)
{
    (void)state;
    assert_told("perfview", 75, 2 * 78);
}

/* A stack that all threads have is one where a format has no threads. */
static void test_stacks_size_of_threads(void **state)
{
    (void)state;
    assert_told_of(3, "folded", 150, 151);
    assert_told_of(3, "folded", 60, 0); /* only three of them would be large */
}

/* A chain of `depth` frames; each spent 1, and has `leaves` callees that spent 1, too. */
static toll_profile *make_tree(uint32_t depth, uint32_t leaves)
{
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id chain, leaf;
    toll_node_id child;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "x", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "", &thread, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "chain" }, &chain, err));
    toll_node_id node = toll_profile_root(p, thread);
    for (uint32_t i = 0; i < depth; i++) {
        assert_ok(toll_profile_add_child(p, node, chain, &node, err));
        assert_ok(toll_profile_add_self(p, node, 0, 1, err));
        for (uint32_t k = 0; k < leaves; k++) {
            char name[20];
            snprintf(name, sizeof name, "leaf %u", k);
            assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, &leaf, err));
            assert_ok(toll_profile_add_child(p, node, leaf, &child, err));
            assert_ok(toll_profile_add_self(p, child, 0, 1, err));
        }
    }
    return p;
}

static uint32_t deepest(const toll_profile *p)
{
    uint32_t count = toll_profile_node_count(p), most = 0;
    uint32_t *depth = test_malloc(count * sizeof *depth);
    for (uint32_t n = 0; n < count; n++) {
        toll_node_id parent = toll_profile_parent(p, n);
        depth[n] = parent == TOLL_NONE ? 0 : depth[parent] + 1;
        if (depth[n] > most)
            most = depth[n];
    }
    test_free(depth);
    return most;
}

static int64_t sum_of(const toll_profile *p, const char *type)
{
    int64_t sum = 0;
    uint32_t column = toll_profile_find_column(p, type);
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, column);
    return sum;
}

/* Writes `p` in a format with at most so many bytes of stacks, and reads it again. */
static toll_profile *rewrite(const toll_profile *p, const char *format, size_t bytes)
{
    toll_output *out;
    toll_input *in;
    toll_profile *q;
    size_t size;
    const toll_format_options options = { .size = sizeof options, .stack_bytes = bytes };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, format, &options, out, err));
    assert_ok(toll_output_commit(out, err));
    const void *data = toll_output_data(out, &size);
    if (!bytes)
        assert_true(size < TOLL_STACK_BYTES * 2);
    assert_ok(toll_input_from_memory(NULL, data, size, "written", &in, err));
    assert_ok(toll_profile_read(in, format, NULL, NULL, &q, err));
    toll_input_free(in);
    toll_output_free(out);
    return q;
}

/* A program that recurs 100,000 deep is written in every format, with the same sum. */
static void test_depth_never_refused(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    toll_profile *p = make_tree(DEEP, 0);
    for (unsigned i = 0; toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        if (!f->writes || f->needs_timeline)
            continue;
        if (f->reads) {
            toll_profile *q = rewrite(p, f->name, 0);
            const char *type = f->keeps & TOLL_KEEPS_UNITS ? "x" : toll_profile_column(q, 0).type;
            assert_int_equal(sum_of(q, type), DEEP);
            toll_profile_free(q);
        } else {
            toll_output *out;
            assert_ok(toll_output_to_memory(NULL, 0, &out, err));
            assert_ok(toll_profile_write(p, NULL, f->name, NULL, out, err));
            toll_output_free(out);
        }
    }
    toll_profile_free(p);
}

/* Folded at the largest depth that the size allows, also of trees with many leaves; never at less
 * than 1,000; all frames are there if they are asked for. The note counts the stacks. */
static void test_depth_folded_at(void **state)
{
    (void)state;
    enum { DEPTH_OF_CHAIN = 1300, LEAVES = 3 };
    const size_t frame = sizeof "chain;" - 1;
    toll_profile *chain = make_tree(DEPTH_OF_CHAIN, 0), *bushy = make_tree(DEPTH_OF_CHAIN, LEAVES);
    struct {
        const toll_profile *p;
        size_t bytes;
        uint32_t depth;
    } cases[] = { { chain, SIZE_MAX, DEPTH_OF_CHAIN },
                  { chain, frame * 1200 * 1201 / 2, 1200 },
                  { chain, frame * 1200 * 1201 / 2 - 1, 1199 },
                  { chain, frame * 1000 * 1001 / 2, 1000 },
                  { chain, 1, 1000 },
                  { bushy, SIZE_MAX, DEPTH_OF_CHAIN + 1 },
                  { bushy, 1, 1000 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_profile *q = rewrite(cases[i].p, "folded", cases[i].bytes);
        assert_int_equal(deepest(q), cases[i].depth);
        assert_int_equal(sum_of(q, toll_profile_column(q, 0).type), sum_of(cases[i].p, "x"));
        toll_profile_free(q);
    }
    toll_profile *q = rewrite(chain, "pprof", 1);
    uint64_t count = 0;
    assert_int_equal(toll_profile_note_count(q), 1);
    assert_string_equal(toll_profile_note(q, 0, &count),
                        "stacks deeper than 1000 frames, charged to their callers");
    assert_int_equal(count, DEPTH_OF_CHAIN - 1000);
    toll_profile_free(q);
    toll_profile_free(chain);
    toll_profile_free(bushy);
}

/* 1,020 nested calls of a frame that is written after `before` others; `columns` values. */
static toll_profile *make_numbered(uint32_t before, uint32_t columns)
{
    toll_profile *p;
    toll_thread_id thread;
    char name[20];
    assert_ok(toll_profile_create(NULL, &p, err));
    for (uint32_t c = 0; c < columns; c++)
        assert_ok(toll_profile_add_column(p, c ? "y" : "x", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "", &thread, err));
    for (uint32_t i = 0; i <= before; i++) {
        toll_frame_id frame;
        toll_node_id node = toll_profile_root(p, thread);
        snprintf(name, sizeof name, "f%05u", i);
        assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, &frame, err));
        for (uint32_t d = 0; d < (i < before ? 1 : 1020); d++) {
            assert_ok(toll_profile_add_child(p, node, frame, &node, err));
            assert_ok(toll_profile_add_self(p, node, 0, 1, err));
        }
    }
    return p;
}

/* What a frame takes depends on its number, and in speedscope on how many values there are. */
static void test_depth_by_numbers_of_frames(void **state)
{
    static const struct {
        const char *format;
        uint32_t before, columns;
        size_t size;   /* of the frame in a stack */
        size_t others; /* of all other frames */
    } cases[] = {
        { "pprof", 0, 1, 1, 0 },         { "pprof", 126, 1, 1, 126 },
        { "pprof", 127, 1, 2, 127 },     { "pprof", 200, 2, 2, 127 + 2 * 73 },
        { "speedscope", 9, 1, 2, 18 },   { "speedscope", 10, 1, 3, 20 },
        { "speedscope", 99, 2, 6, 574 }, { "speedscope", 100, 1, 4, 290 },
    };
    enum { KEPT = 1010 };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_profile *p = make_numbered(cases[i].before, cases[i].columns);
        size_t bytes = cases[i].others + cases[i].size * KEPT * (KEPT + 1) / 2;
        for (unsigned less = 0; less < 2; less++) {
            toll_profile *q = rewrite(p, cases[i].format, bytes - less);
            if (deepest(q) != KEPT - less)
                fail_msg("%s, frame %u, %u columns: a depth of %u", cases[i].format,
                         cases[i].before, cases[i].columns, deepest(q));
            toll_profile_free(q);
        }
        toll_profile_free(p);
    }
}

/* One name of 10,000 bytes that each stack repeats: what counts are the bytes, not their average.
 */
static void test_depth_by_bytes(void **state)
{
    (void)state;
    enum { NAME = 10000, FRAMES = 2000, MOST = 15000000 };
    static char name[NAME + 1];
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id outer, chain;
    toll_node_id node;
    memset(name, 'n', NAME);
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "x", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "", &thread, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, &outer, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "c" }, &chain, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, thread), outer, &node, err));
    for (int i = 0; i < FRAMES; i++) {
        assert_ok(toll_profile_add_child(p, node, chain, &node, err));
        assert_ok(toll_profile_add_self(p, node, 0, 1, err));
    }
    toll_profile *q = rewrite(p, "folded", MOST);
    uint32_t depth = deepest(q);
    assert_int_equal(sum_of(q, toll_profile_column(q, 0).type), FRAMES);
    /* `depth` - 1 stacks of NAME;c;c;... */
    assert_true((depth - 1) * (NAME + 1 + depth) <= MOST && depth * (NAME + 2 + depth) > MOST);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* A flame chart of `deep` nested calls, each 1 after the last, which return so, too. */
static const char *chart_of(uint32_t deep, size_t bytes, toll_output **out, const char **end)
{
    toll_timeline *t;
    toll_recorder *r;
    toll_frame_id f;
    toll_profile *p;
    size_t size;
    const toll_counter ticks = { "ticks", "count", 0 };
    uint64_t now = 0;
    assert_ok(toll_timeline_create(NULL, (toll_value_type){ "ticks", "count" }, 1, &t, err));
    const toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .timeline = t
    };
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    for (uint32_t i = 0; i < deep; i++, now++)
        toll_recorder_call(r, f, &now);
    for (uint32_t i = 0; i < deep; i++, now++)
        toll_recorder_return(r, &now);
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_recorder_free(r);
    const toll_format_options options = { .size = sizeof options,
                                          .flamechart = 1,
                                          .stack_bytes = bytes };
    assert_ok(toll_output_to_memory(NULL, 0, out, err));
    assert_ok(toll_profile_write(p, t, "folded", &options, *out, err));
    assert_ok(toll_output_commit(*out, err));
    const char *text = toll_output_data(*out, &size);
    *end = text + size;
    if (!bytes)
        assert_true(size < TOLL_STACK_BYTES * 2);
    toll_timeline_free(t);
    toll_profile_free(p);
    return text;
}

/* A flame chart is folded at a depth, too: a call there has one line, with all of its time. */
static void test_depth_of_chart(void **state)
{
    (void)state;
    enum { DEEP = 100000, FEW = 1200, LEAST = 1000 };
    const struct {
        uint32_t deep;
        size_t bytes;
        uint32_t depth, lines;
    } cases[] = { { FEW, SIZE_MAX, FEW, 2 * FEW - 1 },
                  { FEW, 1, LEAST, 2 * LEAST - 1 },
                  { LEAST, 1, LEAST, 2 * LEAST - 1 } };
    toll_output *out;
    const char *end;
    chart_of(DEEP, 0, &out, &end);
    toll_output_free(out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = chart_of(cases[i].deep, cases[i].bytes, &out, &end);
        uint32_t deepest_line = 0, lines = 0;
        long sum = 0;
        for (const char *line = text; line < end; line = strchr(line, '\n') + 1, lines++) {
            const char *value = strchr(line, ' ');
            uint32_t depth = (uint32_t)(value - line + 1) / 2; /* f;f;f */
            deepest_line = depth > deepest_line ? depth : deepest_line;
            sum += strtol(value, NULL, 10);
        }
        assert_int_equal(deepest_line, cases[i].depth);
        assert_int_equal(lines, cases[i].lines);
        assert_int_equal(sum, 2 * cases[i].deep - 1);
        toll_output_free(out);
    }
}

/* Fibers of which each resumes the next hang one under the other: a chain of 100,000 is saved. */
static void test_depth_of_joined_fibers(void **state)
{
    (void)state;
    enum { FIBERS = 100000 };
    toll_recorder *r;
    toll_frame_id f;
    toll_profile *p;
    const toll_counter ticks = { "ticks", "count", 0 };
    const toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .join_threads = 1
    };
    uint64_t now = 0;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "fiber" }, &f, err));
    for (int i = 0; i < FIBERS; i++) {
        toll_track *track;
        assert_ok(toll_recorder_new_track(r, "", &track, err));
        toll_recorder_resume(r, track, &now);
        toll_recorder_call(r, f, &now);
        now++;
    }
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_profile *q = rewrite(p, "pprof", 0);
    assert_int_equal(sum_of(q, "ticks"), FIBERS);
    toll_profile_free(q);
    toll_profile_free(p);
    toll_recorder_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacks_size_folded),
        cmocka_unit_test(test_stacks_size_perfview),
        cmocka_unit_test(test_stacks_size_of_threads),
        cmocka_unit_test(test_depth_never_refused),
        cmocka_unit_test(test_depth_folded_at),
        cmocka_unit_test(test_depth_by_numbers_of_frames),
        cmocka_unit_test(test_depth_by_bytes),
        cmocka_unit_test(test_depth_of_chart),
        cmocka_unit_test(test_depth_of_joined_fibers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
