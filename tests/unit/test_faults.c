/* test_faults.c - tests that detect small faults which no other test noticed when they were put
 * into the code. The comment of each test describes the fault with which it fails. */
#include "support.h"

#include "record/fast_path.h"

#define AT(units_left) (&(uint64_t){ units_left })

static const toll_counter ticks = { "ticks", "count", 0 };

static toll_recorder *recorder_of(toll_frame_id *f, toll_frame_id *g)
{
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .heap = 1
    };
    toll_recorder *r;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, f, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "g" }, g, err));
    return r;
}

static toll_profile *look(const toll_recorder *r)
{
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static void assert_same_stacks(const toll_profile *p, const toll_profile *q)
{
    assert_int_equal(toll_profile_node_count(p), toll_profile_node_count(q));
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
            assert_int_equal(toll_profile_self(p, n, c), toll_profile_self(q, n, c));
}

/* charge.c: toll_recorder_begin returns true when the recorder has stopped. */
static void test_no_event_counts_after_the_stop(void **state)
{
    (void)state;
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    toll_track *other;
    uint64_t now = 0;
    assert_ok(toll_recorder_new_track(r, "other", &other, err));
    toll_recorder_call(r, f, &now);
    now = 5;
    toll_recorder_stop(r, &now);
    toll_profile *before = look(r);
    now = 9;
    toll_recorder_charge(r, &now);
    toll_recorder_call(r, f, &now);
    toll_recorder_call(r, g, &now);
    assert_int_equal(toll_recorder_depth(r), 0);
    toll_recorder_return(r, &now);
    toll_recorder_tail_call(r, g, &now);
    toll_recorder_unwind(r, 0, &now);
    toll_recorder_adopt(r, &g, 1, &now);
    assert_ok(toll_recorder_section_begin(r, g, &now, err));
    assert_ok(toll_recorder_section_end(r, g, &now, err));
    toll_recorder_switch(r, other, &now);
    toll_recorder_resume(r, other, &now);
    assert_ptr_equal(toll_recorder_current_track(r), toll_recorder_main_track(r));
    toll_recorder_rebase(r, &now);
    toll_recorder_heap_alloc(r, 1, 8);
    toll_recorder_heap_free(r, 1);
    toll_recorder_stop(r, &now);
    toll_profile *after = look(r);
    uint64_t count;
    assert_same_stacks(before, after);
    assert_int_equal(toll_profile_note_count(after), 1);
    assert_string_equal(toll_profile_note(after, 0, &count), "events after the stop, ignored");
    assert_int_equal(count, 15);
    toll_profile_free(before);
    toll_profile_free(after);
    toll_recorder_free(r);
}

/* track.c: toll_recorder_end_track makes the main track current although the track that ends is not
 * the current one. */
static void test_a_track_that_ends_elsewhere_leaves_the_current_one(void **state)
{
    (void)state;
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    toll_track *a, *b;
    uint64_t now = 0;
    assert_ok(toll_recorder_new_track(r, "a", &a, err));
    assert_ok(toll_recorder_new_track(r, "b", &b, err));
    toll_recorder_switch(r, b, &now);
    toll_recorder_call(r, f, &now);
    toll_recorder_end_track(r, a, &now);
    assert_ptr_equal(toll_recorder_current_track(r), b);
    now = 3;
    toll_recorder_return(r, &now);
    toll_profile *p = look(r);
    assert_int_equal(test_self(p, "b", "f", 1), 3);
    toll_profile_free(p);
    toll_recorder_free(r);
}

/* track.c: the same when the current track ends after the stop, when nothing is switched any more.
 */
static void test_the_current_track_may_end_after_the_stop(void **state)
{
    (void)state;
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    toll_track *a;
    uint64_t now = 0;
    assert_ok(toll_recorder_new_track(r, "a", &a, err));
    toll_recorder_switch(r, a, &now);
    toll_recorder_stop(r, &now);
    toll_recorder_end_track(r, a, &now);
    assert_ptr_equal(toll_recorder_current_track(r), toll_recorder_main_track(r));
    assert_int_equal(toll_recorder_depth(r), 0);
    toll_recorder_free(r);
}

/* track.c: the stack of a resumed track is placed under its resumer although join_threads is off.
 * Or, with join_threads, this happens to the main track, or the current track is placed under
 * itself. */
static toll_profile *resume_to_and_fro(int join_threads)
{
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .join_threads = join_threads
    };
    toll_frame_id id[3];
    toll_recorder *r;
    toll_track *co;
    uint64_t now = 0;
    assert_ok(toll_recorder_create(&o, &r, err));
    for (int i = 0; i < 3; i++) {
        char name[2] = { (char)('f' + i), 0 };
        assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = name }, &id[i], err));
    }
    assert_ok(toll_recorder_new_track(r, "co", &co, err));
    toll_recorder_call(r, id[0], &now);
    toll_recorder_resume(r, toll_recorder_main_track(r), &now);
    toll_recorder_resume(r, co, &now);
    toll_recorder_call(r, id[1], &now);
    toll_recorder_resume(r, co, &now);
    now = 2;
    toll_recorder_resume(r, toll_recorder_main_track(r), &now);
    toll_recorder_call(r, id[2], &now);
    now = 5;
    toll_recorder_stop(r, &now);
    toll_profile *p = look(r);
    toll_recorder_free(r);
    return p;
}

static void test_resumed_stacks_hang_where_they_are_asked_to(void **state)
{
    (void)state;
    toll_profile *apart = resume_to_and_fro(0), *joined = resume_to_and_fro(1);
    assert_int_equal(toll_profile_node_count(apart), 5); /* two roots, f, f;h and g */
    assert_int_equal(test_self(apart, "co", "g", 1), 2);
    assert_int_equal(test_self(apart, "main", "f;h", 1), 3);
    assert_int_equal(toll_profile_node_count(joined), 5);
    assert_int_equal(test_self(joined, "main", "f;g", 1), 2);
    assert_int_equal(test_self(joined, "main", "f;h", 1), 3);
    toll_profile_free(apart);
    toll_profile_free(joined);
}

/* recorder_heap.c: an allocation is not counted if there was no memory to record it. */
static void test_allocations_not_followed_are_counted(void **state)
{
    (void)state;
    test_allocator a = { .allowed = SIZE_MAX };
    toll_allocator allocator = { test_resize, &a };
    toll_recorder_options o = {
        .size = sizeof o, .allocator = &allocator, .counters = &ticks, .counter_count = 1, .heap = 1
    };
    toll_recorder *r;
    uint64_t count;
    assert_ok(toll_recorder_create(&o, &r, err));
    a.allowed = a.made;
    toll_recorder_heap_alloc(r, 1, 8);
    a.allowed = SIZE_MAX;
    toll_profile *p = look(r);
    assert_int_equal(toll_profile_note_count(p), 1);
    assert_string_equal(toll_profile_note(p, 0, &count),
                        "allocations not followed because memory ran out");
    assert_int_equal(count, 1);
    toll_profile_free(p);
    toll_recorder_free(r);
    assert_int_equal(a.live_bytes, 0);
}

static uint64_t notes_of(const toll_timeline *t)
{
    return toll_profile_note_count(toll_timeline_names(t));
}

/* timeline.c: two events at one time are mistaken for time that went backwards.
 * recorder_timeline.c: of the frames of a track that is resumed only one opens again. */
static void test_all_frames_of_a_track_open_again(void **state)
{
    (void)state;
    toll_value_type axis = { "ticks", "count" };
    toll_timeline *t;
    toll_recorder *r;
    toll_frame_id f;
    toll_timeline_reader *reader;
    toll_timeline_event e;
    uint64_t now = 0;
    int opened = 0;
    assert_ok(toll_timeline_create(NULL, axis, 1, &t, err));
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .timeline = t
    };
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    toll_track *co, *main_track = toll_recorder_main_track(r);
    assert_ok(toll_recorder_new_track(r, "co", &co, err));
    toll_recorder_switch(r, co, &now);
    for (int i = 0; i < 3; i++)
        toll_recorder_call(r, f, &now);
    now = 4;
    toll_recorder_switch(r, main_track, &now);
    now = 6;
    toll_recorder_switch(r, co, &now);
    now = 7;
    toll_recorder_call(r, f, &now);
    now = 9;
    toll_recorder_stop(r, &now);
    toll_recorder_free(r);
    assert_ok(toll_timeline_status(t, err));
    assert_int_equal(notes_of(t), 0);
    assert_ok(toll_timeline_read_thread(t, 0, &reader, err));
    for (uint64_t i = 0; toll_timeline_next(reader, &e, NULL) == 1; i++) {
        opened += e.is_open ? 1 : -1;
        if (i == 8) { /* three opened, three closed, three open again */
            assert_int_equal(opened, 3);
            assert_int_equal(e.at, 6);
        }
    }
    assert_int_equal(opened, 0);
    assert_int_equal(toll_timeline_event_count(t), 14);
    toll_timeline_reader_free(reader);
    toll_timeline_free(t);
}

/* section_frames.c: a section that has no frame is given the node of another frame. */
static void test_heap_of_a_hidden_section_is_charged_to_nobody(void **state)
{
    (void)state;
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .max_depth = 1, .section_heap = 1
    };
    toll_recorder *r;
    toll_sections *sections;
    toll_section_results results;
    toll_frame_id f;
    uint64_t now = 0, heap = 10, more = 30;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    toll_sections_options so = { .size = sizeof so, .recorder = r };
    assert_ok(toll_sections_create(&so, &sections, err));
    toll_recorder_call(r, f, &now);
    assert_ok(toll_sections_begin(sections, "s", 1, &heap, &now, err));
    assert_ok(toll_sections_end(sections, "s", 1, &more, &now, err));
    assert_ok(toll_sections_pop(sections, &now, &results, err));
    assert_int_equal(results.ended[0].heap_net, 20);
    toll_profile *p = look(r);
    assert_string_equal(toll_profile_column(p, 2).type, "heap");
    assert_int_equal(test_sum(p, 2), 0);
    toll_profile_free(p);
    toll_sections_free(sections);
    toll_recorder_free(r);
}

static const void *translate(void *memory, uint64_t address, uint64_t size)
{
    (void)address, (void)size;
    return memory;
}

/* svm.c: sections are logged although there is no log. */
static void test_an_invocation_ends_without_a_log(void **state)
{
    (void)state;
    char id[] = "a";
    toll_svm_options o = { .size = sizeof o, .translate = translate };
    toll_svm_call call = { id, 0, 1, 0, 0 };
    toll_section_results results;
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "program", AT(100), err));
    assert_int_equal(toll_svm_start(svm, &call, AT(100)), TOLL_SVM_OK);
    assert_int_equal(toll_svm_end(svm, &call, AT(100)), TOLL_SVM_OK);
    assert_ok(toll_svm_pop(svm, 0, AT(90), &results, err));
    assert_int_equal(results.ended_count, 1);
    toll_svm_free(svm);
}

/* One event of a random run, by the public functions, or by the fast path's where they will do. */
static void play(toll_recorder *r, bool fast, uint32_t what, toll_frame_id f, const uint64_t *now)
{
    if (what == 0) {
        toll_recorder_section_begin(r, f, now, NULL);
    } else if (what == 1) {
        toll_recorder_section_end(r, f, now, NULL);
    } else if (what % 2) {
        if (!fast || !toll_fast_call(r, f, now, 1))
            toll_recorder_call(r, f, now);
    } else if (!fast || !toll_fast_return(r, now, 1)) {
        toll_recorder_return(r, now);
    }
}

static toll_recorder *new_fast_recorder(const uint64_t *now)
{
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .max_depth = 7
    };
    toll_frame_id unused;
    toll_recorder *r;
    assert_ok(toll_recorder_create(&o, &r, err));
    for (char name[2] = "a"; name[0] <= 'd'; name[0]++)
        assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = name }, &unused, err));
    toll_recorder_rebase(r, now);
    assert_true(toll_recorder_is_fast(r, 1));
    assert_false(toll_recorder_is_fast(r, 0));
    return r;
}

static void assert_same_notes(const toll_profile *p, const toll_profile *q)
{
    assert_int_equal(toll_profile_note_count(p), toll_profile_note_count(q));
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t in_p, in_q;
        assert_string_equal(toll_profile_note(p, i, &in_p), toll_profile_note(q, i, &in_q));
        assert_int_equal(in_p, in_q);
    }
}

/* fast_path.h: a function returns false although it has made the step, or true although it has not.
 */
static void test_the_fast_path_does_what_the_public_functions_do(void **state)
{
    (void)state;
    uint64_t random = 1, now = 1000;
    toll_recorder *r[2] = { new_fast_recorder(&now), new_fast_recorder(&now) };
    toll_profile *p[2];
    for (int step = 0; step < 20000; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t what = random >> 33 & 31;
        toll_frame_id f = random >> 40 & 3;
        now += (random >> 45 & 63) ? random >> 50 & 15 : UINT64_MAX - 9; /* seldom backwards */
        for (int i = 0; i < 2; i++)
            play(r[i], i == 1, what, f, &now);
        assert_int_equal(toll_recorder_depth(r[0]), toll_recorder_depth(r[1]));
    }
    for (int i = 0; i < 2; i++) {
        toll_recorder_stop(r[i], &now);
        p[i] = look(r[i]);
        toll_recorder_free(r[i]);
    }
    assert_same_stacks(p[0], p[1]);
    assert_same_notes(p[0], p[1]);
    toll_profile_free(p[0]);
    toll_profile_free(p[1]);
}

/* charge.c: rebasing goes from the first counter to the one before it, not to the second. */
static void test_each_counter_is_rebased(void **state)
{
    static const toll_counter two[] = { { "ticks", "count", 0 }, { "gas", "count", 0 } };
    toll_recorder_options o = { .size = sizeof o, .counters = two, .counter_count = 2 };
    toll_recorder *r;
    toll_frame_id f;
    (void)state;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    toll_recorder_call(r, f, (uint64_t[]){ 10, 100 });
    toll_recorder_rebase(r, (uint64_t[]){ 50, 500 });
    toll_recorder_return(r, (uint64_t[]){ 51, 502 });
    toll_profile *p = look(r);
    assert_int_equal(test_self(p, "main", "f", 1), 1);
    assert_int_equal(test_self(p, "main", "f", 2), 2);
    toll_profile_free(p);
    toll_recorder_free(r);
}

/* snapshot.c: a movement of a counter by the largest value that fits is refused. */
static void test_the_largest_movement_fits(void **state)
{
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    (void)state;
    toll_recorder_call(r, f, AT(0));
    toll_recorder_return(r, AT(INT64_MAX));
    toll_profile *p = look(r);
    assert_int_equal(test_self(p, "main", "f", 1), INT64_MAX);
    toll_profile_free(p);
    toll_recorder_charge(r, AT((uint64_t)INT64_MAX + 1));
    assert_int_equal(toll_recorder_snapshot(r, NULL, &p, NULL), TOLL_E_OVERFLOW);
    toll_recorder_free(r);
}

/* snapshot.c: only the first counter's movement is looked at. */
static void test_the_movement_of_each_counter_fits(void **state)
{
    static const toll_counter two[] = { { "ticks", "count", 0 }, { "gas", "count", 0 } };
    toll_recorder_options o = { .size = sizeof o, .counters = two, .counter_count = 2 };
    toll_recorder *r;
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    (void)state;
    assert_ok(toll_recorder_create(&o, &r, err));
    toll_recorder_charge(r, (uint64_t[]){ 0, 0 });
    toll_recorder_charge(r, (uint64_t[]){ 1, INT64_MAX });
    toll_recorder_charge(r, (uint64_t[]){ 2, (uint64_t)INT64_MAX + 1 });
    assert_int_equal(toll_recorder_snapshot(r, NULL, &p, &e), TOLL_E_OVERFLOW);
    assert_string_equal(e.text, "counter 'gas' moved by more than 2^63");
    toll_recorder_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_event_counts_after_the_stop),
        cmocka_unit_test(test_a_track_that_ends_elsewhere_leaves_the_current_one),
        cmocka_unit_test(test_the_current_track_may_end_after_the_stop),
        cmocka_unit_test(test_resumed_stacks_hang_where_they_are_asked_to),
        cmocka_unit_test(test_allocations_not_followed_are_counted),
        cmocka_unit_test(test_all_frames_of_a_track_open_again),
        cmocka_unit_test(test_heap_of_a_hidden_section_is_charged_to_nobody),
        cmocka_unit_test(test_an_invocation_ends_without_a_log),
        cmocka_unit_test(test_the_fast_path_does_what_the_public_functions_do),
        cmocka_unit_test(test_each_counter_is_rebased),
        cmocka_unit_test(test_the_largest_movement_fits),
        cmocka_unit_test(test_the_movement_of_each_counter_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
