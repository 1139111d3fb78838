/* test_arguments_recorder.c - wrong arguments that the functions of toll/recorder.h refuse. Events
 * cannot fail: notes of the profile count what was wrong. */
#include "support_arguments.h"

static const toll_counter ticks = { "ticks", "count", 0 };

typedef struct recording {
    toll_recorder *r;
    toll_timeline *t;
    toll_frame_id frame;
    uint64_t now;
} recording;

/* One frame is open on one of two tracks, and a timeline records everything. */
static int set_up(void **state)
{
    recording *rec = test_calloc(1, sizeof *rec);
    toll_frame f = { .name = "f" };
    toll_value_type axis = { "ticks", "count" };
    assert_ok(toll_timeline_create(NULL, axis, 1, &rec->t, err));
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .heap = 1, .timeline = rec->t
    };
    assert_ok(toll_recorder_create(&o, &rec->r, err));
    assert_ok(toll_recorder_add_frame(rec->r, &f, &rec->frame, err));
    toll_recorder_call(rec->r, rec->frame, &rec->now);
    *state = rec;
    return 0;
}

static toll_profile *look(const recording *rec)
{
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(rec->r, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

/* Check that the whole movement of the counter was charged, and that the timeline is valid. */
static int tear_down(void **state)
{
    recording *rec = *state;
    toll_recorder_stop(rec->r, &rec->now);
    toll_profile *p = look(rec);
    assert_int_equal(test_sum(p, 1), rec->now);
    toll_profile_free(p);
    toll_recorder_free(rec->r);
    toll_timeline_free(rec->t);
    test_free(rec);
    return 0;
}

/* The note's count; 0 if there is none. */
static uint64_t noted(const recording *rec, const char *text)
{
    toll_profile *p = look(rec);
    uint64_t count = 0, found = 0;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strcmp(toll_profile_note(p, i, &count), text) == 0)
            found = count;
    toll_profile_free(p);
    return found;
}

static const char unregistered[] = "calls of frames that were never registered, folded";
static const char no_track[] = "events of a track that is not there, ignored";

static test_shape shape_of(const recording *rec)
{
    toll_profile *p = look(rec);
    test_shape shape = test_shape_of(p);
    toll_profile_free(p);
    return shape;
}

static void assert_recording_unchanged(const recording *rec, test_shape *before)
{
    toll_profile *p = look(rec);
    assert_unchanged(p, before);
    toll_profile_free(p);
}

/* --- recorder.h --------------------------------------------------------------------------------*/

static void test_toll_recorder_create(void **state)
{
    (void)state;
    const toll_counter typeless = { NULL, "count", 0 }, unitless = { "ticks", NULL, 0 };
    toll_recorder_options good = { .size = sizeof good, .counters = &ticks, .counter_count = 1 };
    toll_recorder_options many = { .size = sizeof many,
                                   .counters = &ticks,
                                   .counter_count = TOLL_MAX_COUNTERS + 1 };
    toll_recorder_options no_counters = { .size = sizeof no_counters, .counter_count = 1 };
    toll_recorder_options no_type = { .size = sizeof no_type,
                                      .counters = &typeless,
                                      .counter_count = 1 };
    toll_recorder_options no_unit = { .size = sizeof no_unit,
                                      .counters = &unitless,
                                      .counter_count = 1 };
    toll_recorder *r = test_stale();
    assert_argument(toll_recorder_create(NULL, &r, err));
    assert_argument(toll_recorder_create(&many, &r, err));
    assert_argument(toll_recorder_create(&no_counters, &r, err));
    assert_argument(toll_recorder_create(&no_type, &r, err));
    assert_argument(toll_recorder_create(&no_unit, &r, err));
    assert_argument(toll_recorder_create(&good, NULL, err));
    assert_null(r);
}

static void test_toll_recorder_free(void **state)
{
    (void)state;
    toll_recorder_free(NULL);
}

static void test_toll_recorder_add_frame(void **state)
{
    recording *rec = *state;
    test_shape before = shape_of(rec);
    toll_frame nameless = { .name = NULL }, good = { .name = "f" };
    toll_frame_id id = 3;
    assert_argument(toll_recorder_add_frame(rec->r, NULL, &id, err));
    assert_int_equal(id, TOLL_NONE);
    assert_argument(toll_recorder_add_frame(rec->r, &nameless, &id, err));
    assert_ok(toll_recorder_add_frame(rec->r, &good, NULL, err));
    assert_recording_unchanged(rec, &before);
}

static void test_toll_recorder_frame(void **state)
{
    recording *rec = *state;
    assert_string_equal(toll_recorder_frame(rec->r, rec->frame).file, "");
    EACH_ID_PAST(frame, rec->frame + 1)
    assert_string_equal(toll_recorder_frame(rec->r, frame).name, "");
}

static void test_toll_recorder_rename_frame(void **state)
{
    recording *rec = *state;
    test_shape before = shape_of(rec);
    toll_profile *p = look(rec);
    uint32_t frames = toll_profile_frame_count(p);
    toll_profile_free(p);
    EACH_ID_PAST(frame, frames)
    assert_argument(toll_recorder_rename_frame(rec->r, frame, "g", err));
    assert_argument(toll_recorder_rename_frame(rec->r, rec->frame, NULL, err));
    assert_recording_unchanged(rec, &before);
}

static void test_toll_recorder_call(void **state)
{
    recording *rec = *state;
    toll_profile *p = look(rec);
    uint32_t frames = toll_profile_frame_count(p), nodes = toll_profile_node_count(p);
    toll_profile_free(p);
    EACH_ID_PAST(frame, frames)
    {
        rec->now += 2;
        toll_recorder_call(rec->r, frame, &rec->now);
        rec->now += 3;
        toll_recorder_return(rec->r, &rec->now);
    }
    p = look(rec);
    assert_int_equal(toll_profile_node_count(p), nodes);
    toll_profile_free(p);
    assert_int_equal(noted(rec, unregistered), 3);
    assert_int_equal(toll_recorder_depth(rec->r), 1);
}

static void test_toll_recorder_return(void **state)
{
    recording *rec = *state;
    for (int i = 0; i < 3; i++)
        toll_recorder_return(rec->r, &rec->now);
    assert_int_equal(noted(rec, "returns without a call"), 2);
}

static void test_toll_recorder_tail_call(void **state)
{
    recording *rec = *state;
    EACH_ID_PAST(frame, rec->frame + 1)
    {
        rec->now += 2;
        toll_recorder_tail_call(rec->r, frame, &rec->now);
    }
    assert_int_equal(noted(rec, unregistered), 3);
    assert_int_equal(toll_recorder_depth(rec->r), 1);
}

static void test_toll_recorder_unwind(void **state)
{
    recording *rec = *state;
    toll_recorder_unwind(rec->r, 2, &rec->now);
    toll_recorder_unwind(rec->r, UINT64_MAX, &rec->now);
    assert_int_equal(toll_recorder_depth(rec->r), 1);
    toll_recorder_unwind(rec->r, 0, &rec->now);
    toll_recorder_unwind(rec->r, 0, &rec->now);
    assert_int_equal(toll_recorder_depth(rec->r), 0);
}

/* Without options.lines a line only charges, whatever its frame is. */
static void test_toll_recorder_line(void **state)
{
    recording *rec = *state;
    toll_profile *p = look(rec);
    uint32_t nodes = toll_profile_node_count(p);
    toll_profile_free(p);
    EACH_ID_PAST(frame, rec->frame)
    {
        rec->now += 2;
        toll_recorder_line(rec->r, frame, &rec->now);
    }
    p = look(rec);
    assert_int_equal(toll_profile_node_count(p), nodes);
    toll_profile_free(p);
}

static void test_toll_recorder_adopt_line(void **state)
{
    recording *rec = *state;
    toll_profile *p = look(rec);
    uint32_t nodes = toll_profile_node_count(p);
    toll_profile_free(p);
    EACH_ID_PAST(frame, rec->frame)
    {
        rec->now += 2;
        toll_recorder_adopt_line(rec->r, frame, &rec->now);
    }
    p = look(rec);
    assert_int_equal(toll_profile_node_count(p), nodes);
    toll_profile_free(p);
}

static void test_toll_recorder_adopt(void **state)
{
    recording *rec = *state;
    const toll_frame_id frames[] = { rec->frame, rec->frame + 1, TOLL_NONE, rec->frame };
    toll_recorder_adopt(rec->r, NULL, 0, &rec->now);
    assert_int_equal(toll_recorder_depth(rec->r), 1);
    toll_recorder_adopt(rec->r, frames, 4, &rec->now);
    assert_int_equal(toll_recorder_depth(rec->r), 5);
    rec->now += 4;
    toll_recorder_charge(rec->r, &rec->now);
    assert_int_equal(noted(rec, unregistered), 3);
}

static void test_toll_recorder_rebase(void **state)
{
    recording *rec = *state;
    uint64_t now = UINT64_MAX;
    toll_recorder_rebase(rec->r, &now); /* any number will do */
    toll_recorder_rebase(rec->r, &rec->now);
}

static void test_toll_recorder_charge(void **state)
{
    recording *rec = *state;
    uint64_t backward = rec->now - 1;
    toll_recorder_charge(rec->r, &backward);
    toll_recorder_rebase(rec->r, &rec->now);
    assert_int_equal(noted(rec, "steps of a counter in the wrong direction, charged as 0"), 1);
}

static void test_toll_recorder_new_track(void **state)
{
    recording *rec = *state;
    test_shape before = shape_of(rec);
    toll_track *track = toll_recorder_main_track(rec->r);
    assert_argument(toll_recorder_new_track(rec->r, NULL, &track, err));
    assert_null(track);
    assert_argument(toll_recorder_new_track(rec->r, "new", NULL, err));
    assert_recording_unchanged(rec, &before);
}

static void test_toll_recorder_switch(void **state)
{
    recording *rec = *state;
    rec->now += 5;
    toll_recorder_switch(rec->r, NULL, &rec->now);
    assert_ptr_equal(toll_recorder_current_track(rec->r), toll_recorder_main_track(rec->r));
    assert_int_equal(noted(rec, no_track), 1);
}

static void test_toll_recorder_resume(void **state)
{
    recording *rec = *state;
    rec->now += 5;
    toll_recorder_resume(rec->r, NULL, &rec->now);
    assert_ptr_equal(toll_recorder_current_track(rec->r), toll_recorder_main_track(rec->r));
    assert_int_equal(noted(rec, no_track), 1);
}

static void test_toll_recorder_end_track(void **state)
{
    recording *rec = *state;
    toll_recorder_end_track(rec->r, NULL, &rec->now);
    assert_int_equal(toll_recorder_depth(rec->r), 1);
    assert_int_equal(noted(rec, no_track), 1);
}

static void test_toll_recorder_section_begin(void **state)
{
    recording *rec = *state;
    test_shape before = shape_of(rec);
    EACH_ID_PAST(frame, rec->frame + 1)
    assert_argument(toll_recorder_section_begin(rec->r, frame, &rec->now, err));
    assert_recording_unchanged(rec, &before);
}

static void test_toll_recorder_section_end(void **state)
{
    recording *rec = *state;
    test_shape before = shape_of(rec);
    EACH_ID_PAST(frame, rec->frame) /* the first of them is a frame that is no section */
    assert_status(TOLL_E_NOT_FOUND, toll_recorder_section_end(rec->r, frame, &rec->now, err));
    assert_recording_unchanged(rec, &before);
}

static void test_toll_recorder_heap_alloc(void **state)
{
    recording *rec = *state;
    toll_recorder_heap_alloc(rec->r, 0, 0);
    toll_recorder_heap_alloc(rec->r, 0, 8);
    toll_recorder_heap_alloc(rec->r, UINT64_MAX, UINT64_MAX);
    assert_int_equal(noted(rec, "allocations at an address that was in use"), 1);
    assert_int_equal(noted(rec, "allocations not followed because of their size"), 1);
}

static void test_toll_recorder_heap_free(void **state)
{
    recording *rec = *state;
    toll_recorder_heap_free(rec->r, 0);
    toll_recorder_heap_free(rec->r, UINT64_MAX);
    assert_int_equal(noted(rec, "frees of an unknown address"), 2);
}

static void test_toll_recorder_heap_realloc(void **state)
{
    recording *rec = *state;
    toll_recorder_heap_realloc(rec->r, 1, 1, 8);
    toll_recorder_heap_realloc(rec->r, 1, UINT64_MAX, 9);
    assert_int_equal(noted(rec, "frees of an unknown address"), 1);
}

static void test_toll_recorder_stop(void **state)
{
    recording *rec = *state;
    toll_recorder_stop(rec->r, &rec->now);
    toll_recorder_call(rec->r, rec->frame, &rec->now);
    toll_recorder_switch(rec->r, NULL, &rec->now);
    toll_recorder_end_track(rec->r, NULL, &rec->now);
    toll_recorder_stop(rec->r, &rec->now);
    assert_int_equal(noted(rec, "events after the stop, ignored"), 4);
}

static void test_toll_recorder_snapshot(void **state)
{
    recording *rec = *state;
    assert_argument(toll_recorder_snapshot(rec->r, NULL, NULL, err));
}

static void test_toll_recorder_note(void **state)
{
    recording *rec = *state;
    test_shape before = shape_of(rec);
    assert_argument(toll_recorder_note(rec->r, NULL, 1, err));
    assert_recording_unchanged(rec, &before);
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(toll_recorder_create),      ROW(toll_recorder_free),
        ROW(toll_recorder_add_frame),   ROW(toll_recorder_rebase),
        ROW(toll_recorder_call),        ROW(toll_recorder_return),
        ROW(toll_recorder_tail_call),   ROW(toll_recorder_unwind),
        ROW(toll_recorder_frame),       ROW(toll_recorder_line),
        ROW(toll_recorder_adopt_line),  ROW(toll_recorder_adopt),
        ROW(toll_recorder_charge),      ROW(toll_recorder_new_track),
        ROW(toll_recorder_switch),      ROW(toll_recorder_resume),
        ROW(toll_recorder_end_track),   ROW(toll_recorder_section_begin),
        ROW(toll_recorder_section_end), ROW(toll_recorder_heap_alloc),
        ROW(toll_recorder_heap_free),   ROW(toll_recorder_heap_realloc),
        ROW(toll_recorder_stop),        ROW(toll_recorder_snapshot),
        ROW(toll_recorder_note),        ROW(toll_recorder_rename_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
