/* test_reset.c - a recorder that was reset works like a new one. A run with all kinds of events is
 * recorded by a new recorder, and by one that was reset after another run: all writers must write
 * the same bytes. */
#include "support.h"

#include <toll/sections.h>

static const toll_counter counters[] = { { "ticks", "count", 0 }, { "budget", "units", 1 } };
static const toll_value_type axes[] = { { "ticks", "count" }, { "budget", "units" } };

enum { FRAMES = 40, BUDGET = 1000000 };

typedef struct recording {
    toll_timeline *timeline;
    toll_recorder *r;
    toll_frame_id frames[FRAMES];
    uint64_t now[2];
} recording;

/* Which recorder: all combinations are tried. */
typedef struct variant {
    int with_timeline, in_memory, with_heap, join_threads, max_depth;
} variant;

static toll_status start(recording *rec, const variant *v, const toll_allocator *a)
{
    *rec = (recording){ .now = { 0, BUDGET } };
    toll_status s = TOLL_OK;
    if (v->with_timeline)
        s = toll_timeline_create(a, axes[0], v->in_memory, &rec->timeline, NULL);
    if (!s && rec->timeline)
        s = toll_timeline_add_second_axis(rec->timeline, axes[1], NULL);
    toll_recorder_options o = { .size = sizeof o,
                                .allocator = a,
                                .counters = counters,
                                .counter_count = 2,
                                .max_depth = (uint32_t)v->max_depth,
                                .heap = v->with_heap,
                                .section_heap = v->with_heap,
                                .join_threads = v->join_threads,
                                .timeline = rec->timeline,
                                .timeline_second = 1 };
    if (!s)
        s = toll_recorder_create(&o, &rec->r, NULL);
    for (int i = 0; !s && i < FRAMES; i++) {
        char name[16];
        toll_frame f = { .name = name,
                         .file = "file.c",
                         .line = (uint32_t)i,
                         .kind = i % 3 ? TOLL_KIND_FUNCTION : TOLL_KIND_NATIVE };
        snprintf(name, sizeof name, "f%d", i);
        s = toll_recorder_add_frame(rec->r, &f, &rec->frames[i], NULL);
    }
    return s;
}

static void finish(recording *rec)
{
    toll_recorder_free(rec->r);
    toll_timeline_free(rec->timeline);
}

static const uint64_t *after(recording *rec, uint64_t ticks)
{
    rec->now[0] += ticks;
    rec->now[1] -= 2 * ticks;
    return rec->now;
}

static void call(recording *rec, int frame, uint64_t ticks)
{
    toll_recorder_call(rec->r, rec->frames[frame], after(rec, ticks));
}

static void back(recording *rec, uint64_t ticks)
{
    toll_recorder_return(rec->r, after(rec, ticks));
}

/* A track, or NULL without memory: the recorder counts that. */
static toll_track *track(recording *rec, const char *name)
{
    toll_track *t = NULL;
    return toll_recorder_new_track(rec->r, name, &t, NULL) ? NULL : t;
}

/* The run whose profile is wanted. */
static void wanted_run(recording *rec)
{
    toll_track *a = track(rec, "a"), *b = track(rec, "b");
    back(rec, 5); /* an orphan */
    toll_recorder_adopt(rec->r, rec->frames + 7, 2, after(rec, 1));
    toll_recorder_heap_alloc(rec->r, 1, 100);
    toll_recorder_heap_free(rec->r, 2); /* of the run before: unknown now */
    toll_recorder_section_begin(rec->r, rec->frames[20], after(rec, 2), NULL);
    call(rec, 3, 3);
    toll_recorder_resume(rec->r, a, after(rec, 1));
    call(rec, 4, 2);
    call(rec, 5, 2);
    toll_recorder_resume(rec->r, b, after(rec, 7));
    call(rec, 5, 2);
    toll_recorder_switch(rec->r, toll_recorder_main_track(rec->r), after(rec, 4));
    toll_recorder_section_end(rec->r, rec->frames[20], after(rec, 3), NULL);
    toll_recorder_heap_alloc(rec->r, 1, 50); /* in use */
    for (int i = 8; i < 20; i++)
        call(rec, i, 1);
    for (int i = 0; i < 1000; i++) { /* more than one block of the timeline */
        call(rec, 20 + i % 9, 1);
        back(rec, 2);
    }
    toll_recorder_unwind(rec->r, 6, after(rec, 9));
    toll_recorder_tail_call(rec->r, rec->frames[2], after(rec, 1));
    toll_recorder_resume(rec->r, a, after(rec, 1));
    back(rec, 6);
    toll_recorder_end_track(rec->r, a, after(rec, 1));
    toll_recorder_call(rec->r, TOLL_NONE, after(rec, 1));
    toll_recorder_section_begin(rec->r, rec->frames[21], after(rec, 2), NULL); /* left open */
    toll_recorder_stop(rec->r, after(rec, 11));
    call(rec, 1, 1); /* after the stop */
}

/* Another run: other frames first, other tracks, and as much as possible left behind. */
static void run_before(recording *rec)
{
    uint64_t backward[2] = { 3, BUDGET };
    toll_track *c = track(rec, "c"), *b = track(rec, "b");
    toll_recorder_heap_alloc(rec->r, 1, 10);
    toll_recorder_heap_alloc(rec->r, 2, 20);
    call(rec, 30, 1000);
    toll_recorder_section_begin(rec->r, rec->frames[21], after(rec, 2), NULL);
    toll_recorder_section_begin(rec->r, rec->frames[22], after(rec, 2), NULL);
    toll_recorder_charge(rec->r, backward);
    toll_recorder_note(rec->r, "a note", 3, NULL);
    for (int i = 0; i < 1200; i++) /* blocks of the timeline, and more than one chunk of nodes */
        call(rec, (i * 7) % FRAMES, (uint64_t)(i % 5));
    toll_recorder_resume(rec->r, b, after(rec, 4));
    call(rec, 8, 3);
    toll_recorder_resume(rec->r, c, after(rec, 4));
    toll_recorder_section_begin(rec->r, rec->frames[23], after(rec, 2), NULL);
    toll_recorder_switch(rec->r, NULL, after(rec, 4));
    call(rec, 5, 3);
}

/* Not charged: the counters of the new run begin elsewhere. */
static void reset(recording *rec)
{
    toll_recorder_reset(rec->r);
    rec->now[0] = 0;
    rec->now[1] = BUDGET;
}

/* Written in that format, or the failure as text. To be freed. */
static char *written(const toll_profile *p, const toll_timeline *t, const char *format,
                     int flamechart, size_t *size)
{
    toll_output *out;
    toll_error e = { TOLL_OK, "" };
    toll_format_options o = { .size = sizeof o, .flamechart = flamechart };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    toll_status s = toll_profile_write(p, t, format, &o, out, &e);
    if (!s)
        s = toll_output_commit(out, &e);
    const char *data = s ? e.text : toll_output_data(out, size);
    if (s)
        *size = strlen(e.text);
    char *copy = malloc(*size + 1);
    memcpy(copy, data, *size);
    copy[*size] = 0;
    toll_output_free(out);
    return copy;
}

static void compare_format(const recording *one, const recording *two, toll_profile *const p[2],
                           const char *format, int in_order)
{
    size_t sizes[2];
    char *texts[] = {
        written(p[0], in_order ? one->timeline : NULL, format, in_order, &sizes[0]),
        written(p[1], in_order ? two->timeline : NULL, format, in_order, &sizes[1]),
    };
    if (sizes[0] != sizes[1] || memcmp(texts[0], texts[1], sizes[0]) != 0)
        fail_msg("%s differs:\n%s\n\n%s", format, texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

/* The events of all threads, with the places on the axes that no writer shows. */
static void compare_timelines(const toll_timeline *one, const toll_timeline *two)
{
    const toll_profile *names[] = { toll_timeline_names(one), toll_timeline_names(two) };
    assert_int_equal(toll_timeline_event_count(one), toll_timeline_event_count(two));
    assert_int_equal(toll_profile_thread_count(names[0]), toll_profile_thread_count(names[1]));
    assert_int_equal(toll_profile_note_count(names[0]), toll_profile_note_count(names[1]));
    for (uint32_t t = 0; t < toll_profile_thread_count(names[0]); t++) {
        toll_timeline_reader *readers[2];
        toll_timeline_event a, b;
        assert_ok(toll_timeline_read_thread(one, t, &readers[0], err));
        assert_ok(toll_timeline_read_thread(two, t, &readers[1], err));
        while (toll_timeline_next(readers[0], &a, NULL) == 1) {
            assert_int_equal(toll_timeline_next(readers[1], &b, NULL), 1);
            assert_true(a.is_open == b.is_open && a.at == b.at && a.second == b.second);
            assert_string_equal(toll_profile_frame(names[0], a.frame).name,
                                toll_profile_frame(names[1], b.frame).name);
        }
        assert_int_equal(toll_timeline_next(readers[1], &b, NULL), 0);
        toll_timeline_reader_free(readers[0]);
        toll_timeline_reader_free(readers[1]);
    }
}

/* All formats, with the order in time and without it. */
static void assert_same(const recording *one, const recording *two)
{
    const toll_format *format;
    toll_profile *p[2];
    assert_ok(toll_recorder_snapshot(one->r, NULL, &p[0], err));
    assert_ok(toll_recorder_snapshot(two->r, NULL, &p[1], err));
    assert_ok(toll_profile_check(p[1], 0, err));
    assert_int_equal(toll_profile_node_count(p[0]), toll_profile_node_count(p[1]));
    for (unsigned i = 0; (format = toll_format_at(i)); i++) {
        if (!format->writes)
            continue;
        compare_format(one, two, p, format->name, 0);
        if (one->timeline)
            compare_format(one, two, p, format->name, 1);
    }
    if (one->timeline)
        compare_timelines(one->timeline, two->timeline);
    toll_profile_free(p[0]);
    toll_profile_free(p[1]);
}

static void compare_runs(const variant *v)
{
    recording fresh, again;
    assert_ok(start(&fresh, v, NULL));
    assert_ok(start(&again, v, NULL));
    toll_recorder_reset(again.r); /* new as it is */
    run_before(&again);
    reset(&again);
    assert_same(&fresh, &again); /* before any event */
    wanted_run(&fresh);
    wanted_run(&again);
    assert_same(&fresh, &again);
    reset(&again); /* after the stop */
    wanted_run(&again);
    assert_same(&fresh, &again);
    finish(&fresh);
    finish(&again);
}

static void test_after_a_reset_the_same_events_give_the_same_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < 48; i++) {
        int timeline = i / 16; /* none, in memory, in a file */
        compare_runs(&(variant){ timeline > 0, timeline == 1, i & 1, i >> 1 & 1, i & 4 ? 5 : 0 });
    }
}

/* Memory runs out anywhere in the run before, or in the reset: the recorder still begins anew. */
static toll_status run_reset_run(const toll_allocator *allocator, void *user)
{
    test_allocator *a = allocator->user;
    recording fresh, again;
    const variant *v = user;
    toll_status s = start(&again, v, allocator);
    if (!s) {
        run_before(&again);
        a->allowed = SIZE_MAX;
        reset(&again);
        assert_ok(start(&fresh, v, NULL));
        wanted_run(&fresh);
        wanted_run(&again);
        assert_same(&fresh, &again);
        finish(&fresh);
        s = a->refused ? TOLL_E_NOMEM : TOLL_OK;
    }
    finish(&again);
    return s;
}

static void test_a_reset_forgets_that_memory_ran_out(void **state)
{
    (void)state;
    test_every_allocation(run_reset_run, &(variant){ 1, 1, 1, 1, 0 });
}

static void test_a_reset_keeps_frames_and_their_names(void **state)
{
    (void)state;
    recording rec;
    toll_profile *p;
    toll_frame_id more, found;
    assert_ok(start(&rec, &(variant){ 0 }, NULL));
    assert_ok(toll_recorder_add_frame(rec.r, &(toll_frame){ .name = "more" }, &more, err));
    assert_ok(toll_recorder_rename_frame(rec.r, rec.frames[1], "new name", err));
    call(&rec, 2, 1);
    reset(&rec);
    assert_ok(toll_recorder_add_frame(rec.r, &(toll_frame){ .name = "more" }, &found, err));
    assert_int_equal(found, more);
    call(&rec, 1, 1);
    toll_recorder_call(rec.r, more, after(&rec, 4));
    toll_recorder_stop(rec.r, after(&rec, 3));
    assert_ok(toll_recorder_snapshot(rec.r, NULL, &p, err));
    assert_int_equal(toll_profile_node_count(p), 3);
    assert_int_equal(test_self(p, "main", "new name", 1), 4);
    assert_int_equal(test_self(p, "main", "new name;more", 1), 3);
    toll_profile_free(p);
    finish(&rec);
}

/* A run that is repeated finds the memory of the one before. */
static void test_a_repeated_run_allocates_nothing(void **state)
{
    (void)state;
    test_allocator a = { .allowed = SIZE_MAX };
    toll_allocator allocator = { test_resize, &a };
    recording rec;
    assert_ok(start(&rec, &(variant){ .with_heap = 1 }, &allocator));
    for (int i = 0; i < 2; i++) {
        size_t made = a.made;
        for (int f = 0; f < FRAMES; f++)
            call(&rec, f, 1);
        for (int block = 0; block < 1000; block++)
            toll_recorder_heap_alloc(rec.r, (uint64_t)block, 1);
        toll_recorder_stop(rec.r, after(&rec, 1));
        if (i > 0)
            assert_int_equal(a.made, made);
        reset(&rec);
    }
    finish(&rec);
    assert_int_equal(a.live_bytes, 0);
}

/* The timeline's first failure is forgotten, and what was registered with it directly. */
static void test_a_reset_empties_the_timeline(void **state)
{
    (void)state;
    recording rec;
    assert_ok(start(&rec, &(variant){ .with_timeline = 1, .in_memory = 1 }, NULL));
    call(&rec, 1, 1);
    toll_timeline_close(rec.timeline, 0, 2);
    toll_timeline_set_start(rec.timeline, 7);
    toll_timeline_close(rec.timeline, 0, 2); /* nothing is open: a note */
    assert_int_equal(toll_profile_note_count(toll_timeline_names(rec.timeline)), 1);
    toll_timeline_close(rec.timeline, 77, 0); /* there is no such thread */
    assert_int_equal(toll_timeline_status(rec.timeline, NULL), TOLL_E_ARGUMENT);
    reset(&rec);
    assert_ok(toll_timeline_status(rec.timeline, err));
    assert_int_equal(toll_timeline_start(rec.timeline), 0);
    assert_int_equal(toll_timeline_event_count(rec.timeline), 0);
    assert_int_equal(toll_profile_note_count(toll_timeline_names(rec.timeline)), 0);
    assert_int_equal(toll_profile_frame_count(toll_timeline_names(rec.timeline)), 0);
    assert_int_equal(toll_profile_thread_count(toll_timeline_names(rec.timeline)), 0);
    assert_int_equal(toll_timeline_second_axis(rec.timeline, NULL), 1);
    call(&rec, 1, 1);
    assert_int_equal(toll_timeline_event_count(rec.timeline), 1);
    finish(&rec);
}

/* Sums at their limits, and more sections left open than the notes name. */
static void fill_up(recording *rec)
{
    const uint64_t none = 0, half = UINT64_C(1) << 62;
    toll_sections_options o = { .size = sizeof o, .recorder = rec->r };
    toll_sections *s;
    assert_ok(toll_sections_create(&o, &s, err));
    for (int i = 0; i < 2; i++) {
        assert_ok(toll_sections_begin(s, "s", 1, &none, rec->now, err));
        assert_ok(toll_sections_end(s, "s", 1, &half, rec->now, err));
        toll_recorder_heap_alloc(rec->r, (uint64_t)i, INT64_MAX / 2);
    }
    assert_ok(toll_sections_pop(s, rec->now, NULL, err));
    toll_sections_free(s);
    toll_recorder_heap_alloc(rec->r, 2, 1);
    for (int i = 0; i < 300; i++) {
        assert_ok(toll_recorder_section_begin(rec->r, rec->frames[i % FRAMES], rec->now, err));
        toll_recorder_end_track(rec->r, toll_recorder_main_track(rec->r), rec->now);
    }
}

/* The movement of a counter since the recorder began does not fit 64 bits. */
static void overflow(recording *rec)
{
    for (int i = 0; i < 5; i++) {
        rec->now[0] = 0;
        toll_recorder_rebase(rec->r, rec->now);
        toll_recorder_charge(rec->r, after(rec, INT64_MAX / 2));
    }
}

static void test_a_reset_forgets_sums_and_limits(void **state)
{
    (void)state;
    recording fresh, again;
    toll_profile *p;
    const variant v = { .with_heap = 1 };
    assert_ok(start(&fresh, &v, NULL));
    assert_ok(start(&again, &v, NULL));
    fill_up(&fresh);
    fill_up(&again);
    overflow(&again);
    assert_int_equal(toll_recorder_snapshot(again.r, NULL, &p, NULL), TOLL_E_OVERFLOW);
    reset(&again);
    fill_up(&again);
    assert_same(&fresh, &again);
    assert_ok(toll_recorder_snapshot(again.r, NULL, &p, err));
    assert_int_equal(test_note(p, "allocations not followed because of their size"), 1);
    assert_int_equal(test_note(p, "heap values of sections that no sum can hold"), 1);
    assert_int_equal(test_note(p, "sections left open, others"), 44);
    toll_profile_free(p);
    finish(&fresh);
    finish(&again);
}

/* A timeline without events may get its second axis: also one that had events. */
static void test_an_emptied_timeline_gets_a_second_axis(void **state)
{
    (void)state;
    test_allocator a = { .allowed = SIZE_MAX };
    toll_allocator allocator = { test_resize, &a };
    toll_timeline *t;
    toll_recorder *r;
    toll_frame_id f;
    assert_ok(toll_timeline_create(&allocator, axes[0], 1, &t, err));
    toll_recorder_options o = {
        .size = sizeof o, .counters = counters, .counter_count = 2, .timeline = t
    };
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    toll_recorder_call(r, f, (uint64_t[]){ 0, 0 });
    toll_recorder_reset(r);
    assert_ok(toll_timeline_add_second_axis(t, axes[1], err));
    toll_recorder_free(r);
    toll_timeline_free(t);
    assert_int_equal(a.live_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_after_a_reset_the_same_events_give_the_same_bytes),
        cmocka_unit_test(test_a_reset_forgets_that_memory_ran_out),
        cmocka_unit_test(test_a_reset_keeps_frames_and_their_names),
        cmocka_unit_test(test_a_repeated_run_allocates_nothing),
        cmocka_unit_test(test_a_reset_empties_the_timeline),
        cmocka_unit_test(test_a_reset_forgets_sums_and_limits),
        cmocka_unit_test(test_an_emptied_timeline_gets_a_second_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
