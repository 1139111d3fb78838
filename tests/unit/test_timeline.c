/* test_timeline.c - timelines: order, nesting, spooling, and the recorder writing one. */
#include "support.h"

#include <toll/recorder.h>

#include <unistd.h>

static const toll_value_type ns = { "time", "nanoseconds" };

static toll_frame_id frame(toll_timeline *t, const char *name)
{
    toll_frame_id id;
    assert_ok(toll_timeline_add_frame(t, &(toll_frame){ .name = name }, &id, err));
    return id;
}

/* One thread's events as text: "+f@0 -f@5". */
static const char *events(const toll_timeline *t, toll_thread_id thread)
{
    static char text[4096];
    toll_timeline_reader *r;
    toll_timeline_event e;
    size_t used = 0;
    int more;
    *text = 0;
    assert_ok(toll_timeline_read_thread(t, thread, &r, err));
    while ((more = toll_timeline_next(r, &e, NULL)) == 1)
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%c%s@%llu", used ? " " : "", e.is_open ? '+' : '-',
            toll_profile_frame(toll_timeline_names(t), e.frame).name, (unsigned long long)e.at);
    assert_int_equal(more, 0);
    toll_timeline_reader_free(r);
    return text;
}

static void test_events_come_back_in_order(void **state)
{
    (void)state;
    toll_timeline *t;
    toll_thread_id a, b;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    assert_ok(toll_timeline_add_thread(t, "a", &a, err));
    assert_ok(toll_timeline_add_thread(t, "b", &b, err));
    toll_frame_id f = frame(t, "f"), g = frame(t, "g");
    toll_timeline_open(t, a, f, 0);
    toll_timeline_open(t, b, g, 3);
    toll_timeline_open(t, a, g, UINT64_C(1) << 50);
    toll_timeline_close(t, b, 4);
    toll_timeline_close(t, b, 5); /* nothing is open: counted */
    toll_timeline_close(t, a, 7); /* backwards: moved up, counted */
    assert_string_equal(events(t, b), "+g@3 -g@4");
    assert_string_equal(events(t, a), "+f@0 +g@1125899906842624 -g@1125899906842624 "
                                      "-f@1125899906842624");
    assert_int_equal(toll_profile_note_count(toll_timeline_names(t)), 2);
    assert_ok(toll_timeline_status(t, err));
    toll_timeline_free(t);
}

static void spool(int in_memory)
{
    enum { EVENTS = 500000 };
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    toll_timeline *t;
    toll_timeline_reader *r;
    toll_timeline_event e;
    toll_thread_id a;
    assert_ok(toll_timeline_create(&allocator, ns, in_memory, &t, err));
    assert_ok(toll_timeline_add_thread(t, "a", &a, err));
    toll_frame_id f = frame(t, "f");
    for (uint64_t i = 0; i < EVENTS; i++) {
        toll_timeline_open(t, a, f, 10 * i);
        toll_timeline_close(t, a, 10 * i + 3);
    }
    assert_ok(toll_timeline_status(t, err));
    assert_int_equal(toll_timeline_event_count(t), 2 * EVENTS);
    if (!in_memory)
        assert_true(budget.used < 128 * 1024); /* all but the last block is on disk */
    assert_ok(toll_timeline_read_thread(t, a, &r, err));
    for (uint64_t i = 0; i < EVENTS; i++) {
        assert_int_equal(toll_timeline_next(r, &e, NULL), 1);
        assert_true(e.is_open && e.frame == f && e.at == 10 * i);
        assert_int_equal(toll_timeline_next(r, &e, NULL), 1);
        assert_true(!e.is_open && e.frame == f && e.at == 10 * i + 3);
    }
    assert_int_equal(toll_timeline_next(r, &e, NULL), 0);
    toll_timeline_reader_free(r);
    toll_timeline_free(t);
    assert_int_equal(budget.used, 0);
}

static void test_spooling(void **state)
{
    (void)state;
    spool(0);
    spool(1);
}

/* A process without standard input has descriptor 0 to give away. */
static void test_spooling_to_descriptor_0(void **state)
{
    int input = dup(0);
    (void)state;
    close(0);
    spool(0);
    assert_int_equal(close(0), -1); /* it was closed with the timeline */
    if (input >= 0) {
        assert_int_equal(dup2(input, 0), 0);
        close(input);
    }
}

/* A suspended thread shows no frames; they open again when it is resumed. */
static void test_recorder_writes_a_timeline(void **state)
{
    (void)state;
    toll_counter time = { "time", "nanoseconds", 0 };
    toll_timeline *t;
    toll_recorder *r;
    toll_track *co;
    toll_frame_id f, g;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    toll_recorder_options o = {
        .size = sizeof o, .counters = &time, .counter_count = 1, .timeline = t, .max_depth = 2
    };
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "g" }, &g, err));
    assert_ok(toll_recorder_new_track(r, "co", &co, err));
#define AT(n) (&(uint64_t){ 1000 + n })
    toll_recorder_call(r, f, AT(0));
    toll_recorder_switch(r, co, AT(2));
    toll_recorder_call(r, g, AT(3));
    toll_recorder_switch(r, toll_recorder_main_track(r), AT(5));
    toll_recorder_tail_call(r, g, AT(6));
    toll_recorder_call(r, f, AT(6));
    toll_recorder_call(r, f, AT(7)); /* too deep: not shown */
    toll_recorder_switch(r, co, AT(8));
    toll_recorder_return(r, AT(9));
    toll_recorder_stop(r, AT(10));
    assert_string_equal(events(t, 0), "+f@0 -f@2 +f@5 -f@6 +g@6 +f@6 -f@8 -g@8");
    assert_string_equal(events(t, 1), "+g@3 -g@5 +g@8 -g@9");
    toll_recorder_free(r);
    toll_timeline_free(t);
}

/* After a reset the timeline names frames anew, in the order in which they are called. */
static void test_a_timeline_that_was_reset_names_frames_anew(void **state)
{
    static const toll_counter time = { "time", "nanoseconds", 0 };
    toll_timeline *t;
    toll_recorder *r;
    toll_frame_id f, g;
    (void)state;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    toll_recorder_options o = {
        .size = sizeof o, .counters = &time, .counter_count = 1, .timeline = t
    };
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "g" }, &g, err));
    toll_recorder_call(r, f, AT(0));
    toll_recorder_call(r, g, AT(1));
    toll_recorder_reset(r);
    toll_recorder_call(r, g, AT(3));
    toll_recorder_call(r, f, AT(5));
    toll_recorder_stop(r, AT(9));
    assert_string_equal(events(t, 0), "+g@0 +f@2 -f@6 -g@6");
    toll_recorder_free(r);
    toll_timeline_free(t);
}

static toll_status life(const toll_allocator *a, void *user)
{
    toll_timeline *t;
    toll_thread_id thread;
    toll_frame_id f;
    toll_timeline_reader *r = NULL;
    toll_timeline_event e;
    (void)user;
    toll_status s = toll_timeline_create(a, ns, 1, &t, NULL);
    if (s)
        return s;
    s = toll_timeline_add_thread(t, "a", &thread, NULL);
    if (!s)
        s = toll_timeline_add_frame(t, &(toll_frame){ .name = "f" }, &f, NULL);
    for (uint64_t i = 0; !s && i < 3000; i++)
        toll_timeline_open(t, thread, f, i);
    if (!s)
        s = toll_timeline_status(t, NULL);
    if (!s)
        s = toll_timeline_read_thread(t, thread, &r, NULL);
    for (int i = 0; !s && i < 6000; i++)
        if (toll_timeline_next(r, &e, NULL) != 1)
            s = TOLL_E_NOMEM;
    toll_timeline_reader_free(r);
    toll_timeline_free(t);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(life, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_come_back_in_order),
        cmocka_unit_test(test_spooling),
        cmocka_unit_test(test_spooling_to_descriptor_0),
        cmocka_unit_test(test_recorder_writes_a_timeline),
        cmocka_unit_test(test_a_timeline_that_was_reset_names_frames_anew),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
