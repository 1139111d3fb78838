/* test_page_timeline.c - the timeline in pages of toll view: what a page has no room for, and
 * failures. tests/properties/random_timelines.c tests that it contains every event. */
#include "support.h"

#include "profile/order.h"
#include "record/timeline_data.h"
#include "page/page_timeline.h"

typedef struct run {
    toll_timeline *timeline;
    toll_profile *profile;
} run;

/* A thread and a frame that are in the timeline and not in the profile, like those of frames that
 * were open before and have no cost. */
static toll_status add_alone(toll_timeline *t)
{
    toll_thread_id thread;
    toll_frame_id frame;
    toll_status s = toll_timeline_add_thread(t, "alone", &thread, NULL);
    if (!s)
        s = toll_timeline_add_frame(t, &(toll_frame){ .name = "alone" }, &frame, NULL);
    if (!s) {
        toll_timeline_open(t, thread, frame, 500);
        toll_timeline_close(t, thread, 500);
    }
    return s;
}

/* Three threads, two axes, a coroutine's frames that open again. */
static toll_status record(const toll_allocator *a, run *x)
{
    const toll_counter counters[] = { { "time", "nanoseconds", 0 }, { "ticks", "count", 0 } };
    const toll_frame f = { .name = "f", .file = "a.lua", .line = 3 };
    toll_recorder_options o = { .size = sizeof o,
                                .allocator = a,
                                .counters = counters,
                                .counter_count = 2,
                                .timeline_second = 1 };
    toll_recorder *r = NULL;
    toll_track *co;
    toll_frame_id frame;
    *x = (run){ 0 };
    toll_status s =
        toll_timeline_create(a, (toll_value_type){ "time", "nanoseconds" }, 1, &x->timeline, NULL);
    if (!s)
        s = toll_timeline_add_second_axis(x->timeline, (toll_value_type){ "ticks", "count" }, NULL);
    o.timeline = x->timeline;
    if (!s)
        s = toll_recorder_create(&o, &r, NULL);
    if (!s)
        s = toll_recorder_add_frame(r, &f, &frame, NULL);
    if (!s)
        s = toll_recorder_new_track(r, "coroutine", &co, NULL);
    for (uint64_t i = 0; !s && i < 40; i++) {
        uint64_t now[] = { 10 * i, i };
        toll_recorder_switch(r, i % 4 ? co : toll_recorder_main_track(r), now);
        toll_recorder_call(r, frame, now);
    }
    if (!s)
        s = add_alone(x->timeline);
    if (!s)
        s = toll_timeline_status(x->timeline, NULL);
    if (!s)
        s = toll_recorder_snapshot(r, NULL, &x->profile, NULL);
    toll_recorder_free(r);
    return s;
}

static void end(run *x)
{
    toll_profile_free(x->profile);
    toll_timeline_free(x->timeline);
}

static toll_status page_to(const toll_allocator *a, const run *x, toll_output **out)
{
    toll_page_options o = { .size = sizeof o, .timeline = x->timeline };
    toll_status s = toll_output_to_memory(a, 0, out, NULL);
    if (!s)
        s = toll_report_page(x->profile, NULL, &o, *out, NULL);
    return s ? s : toll_output_commit(*out, NULL);
}

/* The page as text, malloc's. */
static char *page_of(const run *x)
{
    toll_output *out;
    size_t size;
    assert_int_equal(page_to(NULL, x, &out), TOLL_OK);
    const char *data = toll_output_data(out, &size);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memcpy(text, data, size);
    toll_output_free(out);
    return text;
}

static void test_what_the_profile_has_not_is_in_the_page(void **state)
{
    (void)state;
    run x;
    const toll_frame alone = { .name = "alone" };
    assert_int_equal(record(NULL, &x), TOLL_OK);
    assert_int_equal(toll_profile_find_frame(x.profile, &alone), TOLL_NONE);
    char *text = page_of(&x);
    assert_non_null(strstr(text, "\"frames\":2,"));
    assert_non_null(strstr(text, "\"end\":\"500\",\"thread\":-1,\"block\":0}]}"));
    free(text);
    end(&x);
}

/* A function that debug information has renamed since is the one at its address. */
static void test_renamed_functions_are_found_by_address(void **state)
{
    (void)state;
    const toll_frame recorded = { .name = "wasm-function[3]", .module = "a.wasm", .address = 8 };
    const toll_frame functions[] = {
        { .name = "other", .file = "b.c", .module = "b.wasm", .address = 12 },
        { .name = "renamed", .file = "a.c", .line = 3, .module = "a.wasm", .address = 8 },
    };
    run x;
    toll_thread_id thread;
    toll_frame_id frame;
    for (int same = 0; same < 2; same++) {
        toll_node_id node;
        toll_frame f = recorded;
        f.module = same ? f.module : "b.wasm";
        assert_ok(toll_timeline_create(NULL, (toll_value_type){ "time", "nanoseconds" }, 1,
                                       &x.timeline, err));
        assert_ok(toll_timeline_add_thread(x.timeline, "main", &thread, err));
        assert_ok(toll_timeline_add_frame(x.timeline, &f, &frame, err));
        toll_timeline_open(x.timeline, thread, frame, 1);
        assert_ok(toll_profile_create(NULL, &x.profile, err));
        assert_ok(toll_profile_add_column(x.profile, "time", "nanoseconds", NULL, err));
        assert_ok(toll_profile_add_thread(x.profile, "main", &thread, err));
        for (int i = 0; i < 2; i++) {
            assert_ok(toll_profile_add_frame(x.profile, &functions[i], &frame, err));
            node = toll_profile_root(x.profile, thread);
            assert_ok(toll_profile_add_child(x.profile, node, frame, &node, err));
            assert_ok(toll_profile_add_self(x.profile, node, 0, 1, err));
        }
        char *text = page_of(&x);
        assert_non_null(strstr(text, same ? "\"frames\":2," : "\"frames\":3,"));
        free(text);
        end(&x);
    }
}

static void test_too_many_events_are_left_out_with_a_note(void **state)
{
    (void)state;
    run x;
    assert_int_equal(record(NULL, &x), TOLL_OK);
    x.timeline->threads[0]->opened += 50000000;
    char *text = page_of(&x);
    assert_null(strstr(text, "timeline-events"));
    assert_null(strstr(text, "\"timeline\":"));
    assert_non_null(strstr(text, "\"the order in time is left out: its 50,0"));
    assert_non_null(strstr(text, "id=\"toll-block-value-0\""));
    free(text);
    end(&x);
}

static void test_a_block_that_is_too_large_is_left_out(void **state)
{
    (void)state;
    run x;
    toll_page_timeline t;
    toll_order order;
    toll_profile *own = NULL;
    assert_int_equal(record(NULL, &x), TOLL_OK);
    const toll_profile *p = x.profile;
    for (uint64_t more = 0; more < 2; more++) {
        assert_ok(
            toll_page_timeline_create(&t, toll_profile_mem(x.profile), x.timeline, false, err));
        assert_ok(toll_page_timeline_complete(&t, &p, &own, err));
        assert_ok(toll_order_create(&order, p, err));
        assert_int_equal(t.span_count, 1);
        uint64_t events = t.spans[0].events;
        t.spans[0].bytes[TOLL_PAGE_STEPS] = 380000000 - 2 * events + more * (events + 1);
        assert_ok(toll_page_timeline_measure(&t, &order, err));
        assert_int_equal(t.timeline == NULL, more);
        assert_int_equal(t.too_many, more ? toll_timeline_event_count(x.timeline) : 0);
        toll_order_free(&order);
        toll_page_timeline_free(&t);
    }
    toll_profile_free(own);
    end(&x);
}

/* Threads share blocks up to 65,536 events; one with more has a block of its own. */
static void test_threads_share_blocks(void **state)
{
    (void)state;
    static const struct {
        int calls;
        uint32_t block;
    } threads[] = { { 10, 0 }, { 20, 0 }, { 50000, 1 }, { 3, 2 }, { 30000, 2 }, { 4000, 3 } };
    enum { THREADS = sizeof threads / sizeof *threads };
    toll_timeline *t;
    toll_page_timeline page;
    toll_frame_id f;
    toll_thread_id thread;
    toll_mem mem = toll_mem_from(NULL);
    assert_ok(toll_timeline_create(NULL, (toll_value_type){ "time", "nanoseconds" }, 1, &t, err));
    assert_ok(toll_timeline_add_frame(t, &(toll_frame){ .name = "f" }, &f, err));
    for (int i = THREADS; i-- > 0;) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        assert_ok(toll_timeline_add_thread(t, name, &thread, err));
        for (int n = 0; n < threads[i].calls; n++) {
            toll_timeline_open(t, thread, f, (uint64_t)i);
            toll_timeline_close(t, thread, 5000);
        }
    }
    assert_ok(toll_timeline_add_thread(t, "without events", NULL, err));
    assert_ok(toll_page_timeline_create(&page, &mem, t, false, err));
    assert_int_equal(page.lane_count, THREADS);
    assert_int_equal(page.span_count, 4);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(page.lanes[i].begin, i);
        assert_int_equal(page.lanes[i].events, 2 * threads[i].calls);
        assert_int_equal(page.lanes[i].block, threads[i].block);
    }
    toll_page_timeline_free(&page);
    toll_timeline_free(t);
}

static void test_a_timeline_without_events_is_none(void **state)
{
    (void)state;
    run x;
    assert_ok(toll_profile_create(NULL, &x.profile, err));
    assert_ok(toll_profile_add_column(x.profile, "time", "nanoseconds", NULL, err));
    test_add_stack(x.profile, "main", "a", 0, 1);
    assert_ok(toll_timeline_create(NULL, (toll_value_type){ "time", "nanoseconds" }, 1, &x.timeline,
                                   err));
    assert_ok(toll_timeline_add_thread(x.timeline, "main", NULL, err));
    char *text = page_of(&x);
    assert_null(strstr(text, "\"timeline\":"));
    assert_null(strstr(text, "timeline-events-0"));
    free(text);
    end(&x);
}

/* A recorder does without memory, and counts what it leaves out: so only the page's allocations
 * fail. */
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    bool done = false;
    for (size_t n = 0; !done; n++) {
        test_allocator a = { .allowed = SIZE_MAX };
        toll_allocator allocator = { test_resize, &a };
        toll_output *out = NULL;
        run x;
        assert_int_equal(record(&allocator, &x), TOLL_OK);
        a.allowed = a.made + n / 2;
        a.once = n % 2;
        toll_status s = page_to(&allocator, &x, &out);
        if (s || !a.once) /* a profile is copied, where one block is missing to find out whether */
            assert_int_equal(s, a.refused ? TOLL_E_NOMEM : TOLL_OK);
        done = !a.refused;
        toll_output_free(out);
        end(&x);
        assert_int_equal(a.live_bytes, 0);
        assert_true(n < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_profile_has_not_is_in_the_page),
        cmocka_unit_test(test_renamed_functions_are_found_by_address),
        cmocka_unit_test(test_too_many_events_are_left_out_with_a_note),
        cmocka_unit_test(test_a_block_that_is_too_large_is_left_out),
        cmocka_unit_test(test_threads_share_blocks),
        cmocka_unit_test(test_a_timeline_without_events_is_none),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
