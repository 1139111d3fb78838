/* test_recorder.c - the rules of docs/semantics.md for the recorder, each in a test of its name,
 * and its other promises. */
#include "support.h"

typedef struct fixture {
    toll_recorder *r;
    toll_frame_id f, g, h;
} fixture;

static const toll_counter ticks = { "ticks", "count", 0 };

static toll_frame_id frame(toll_recorder *r, const char *name)
{
    toll_frame info = { .name = name };
    toll_frame_id id;
    assert_ok(toll_recorder_add_frame(r, &info, &id, err));
    return id;
}

static fixture make(const toll_recorder_options *given)
{
    toll_recorder_options o =
        given ? *given : (toll_recorder_options){ .size = sizeof(toll_recorder_options) };
    fixture x;
    if (!o.counters) {
        o.counters = &ticks;
        o.counter_count = 1;
    }
    assert_ok(toll_recorder_create(&o, &x.r, err));
    x.f = frame(x.r, "f");
    x.g = frame(x.r, "g");
    x.h = frame(x.r, "h");
    return x;
}

#define AT(ticks_now) (&(uint64_t){ ticks_now })

/* Take the profile, free the recorder, and check the invariants. */
static toll_profile *finish(fixture x, uint64_t now)
{
    toll_profile *p;
    toll_recorder_stop(x.r, AT(now));
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    toll_recorder_free(x.r);
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static uint64_t note(const toll_profile *p, const char *text)
{
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        if (strcmp(toll_profile_note(p, i, &count), text) == 0)
            return count;
    }
    return 0;
}

enum { CALLS = 0, TICKS = 1 };

/* --- Calls -------------------------------------------------------------------------------------*/

static void play_worked_example(fixture x)
{
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_call(x.r, x.g, AT(10));
    toll_recorder_call(x.r, x.h, AT(30));
    toll_recorder_return(x.r, AT(60));
    toll_recorder_return(x.r, AT(100));
    toll_recorder_return(x.r, AT(160));
}

static void test_calls_worked_example(void **state)
{
    (void)state;
    fixture x = make(NULL);
    play_worked_example(x);
    toll_profile *p = finish(x, 160);
    assert_int_equal(test_self(p, "main", "f", TICKS), 70);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 60);
    assert_int_equal(test_self(p, "main", "f;g;h", TICKS), 30);
    assert_int_equal(test_self(p, "main", "f;g;h", CALLS), 1);
    assert_int_equal(test_sum(p, TICKS), 160);
    toll_profile_free(p);
}

static void test_calls_counting_down(void **state)
{
    (void)state;
    toll_counter cu = { "compute units", "CU", 1 };
    toll_recorder_options o = { .size = sizeof o, .counters = &cu, .counter_count = 1 };
    fixture x = make(&o);
    toll_recorder_call(x.r, x.f, AT(1000));
    toll_recorder_call(x.r, x.g, AT(900));
    toll_recorder_return(x.r, AT(850));
    toll_recorder_return(x.r, AT(700));
    toll_profile *p = finish(x, 700);
    assert_int_equal(test_self(p, "main", "f", TICKS), 250);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 50);
    toll_profile_free(p);
}

static void test_calls_four_counters(void **state)
{
    (void)state;
    toll_counter four[4] = {
        { "a", "count", 0 }, { "b", "count", 1 }, { "c", "bytes", 0 }, { "d", "nanoseconds", 0 }
    };
    toll_recorder_options o = { .size = sizeof o, .counters = four, .counter_count = 4 };
    fixture x = make(&o);
    toll_recorder_call(x.r, x.f, (uint64_t[]){ 0, 100, 7, 1000 });
    toll_recorder_return(x.r, (uint64_t[]){ 5, 90, 7, 3000 });
    toll_recorder_stop(x.r, (uint64_t[]){ 6, 89, 8, 3001 });
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    int64_t of_f[4] = { 5, 10, 0, 2000 };
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(test_self(p, "main", "f", 1 + i), of_f[i]);
        assert_int_equal(test_self(p, "main", "", 1 + i), 1);
    }
    toll_profile_free(p);
    toll_recorder_free(x.r);
}

static void test_tail_call(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_call(x.r, x.g, AT(10));
    toll_recorder_tail_call(x.r, x.h, AT(30)); /* h takes g's place */
    assert_int_equal(toll_recorder_depth(x.r), 2);
    toll_recorder_return(x.r, AT(60)); /* one return leaves it */
    assert_int_equal(toll_recorder_depth(x.r), 1);
    toll_recorder_return(x.r, AT(100));
    toll_profile *p = finish(x, 100);
    assert_int_equal(test_self(p, "main", "f", TICKS), 50);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 20);
    assert_int_equal(test_self(p, "main", "f;h", TICKS), 30);
    assert_int_equal(test_self(p, "main", "f", CALLS), 1);
    assert_int_equal(test_self(p, "main", "f;g", CALLS), 1);
    assert_int_equal(test_self(p, "main", "f;h", CALLS), 1);
    toll_profile_free(p);
}

static void test_tail_call_without_a_frame(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_tail_call(x.r, x.f, AT(0));
    toll_profile *p = finish(x, 5);
    assert_int_equal(test_self(p, "main", "f", TICKS), 5);
    assert_int_equal(test_self(p, "main", "f", CALLS), 1);
    toll_profile_free(p);
}

static void test_unwinding(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_call(x.r, x.g, AT(10));
    toll_recorder_call(x.r, x.h, AT(30));
    toll_recorder_unwind(x.r, 1, AT(60)); /* g and h are left */
    assert_int_equal(toll_recorder_depth(x.r), 1);
    toll_recorder_unwind(x.r, 7, AT(65)); /* deeper than it is: nothing but the charge */
    assert_int_equal(toll_recorder_depth(x.r), 1);
    toll_profile *p = finish(x, 100);
    assert_int_equal(test_self(p, "main", "f;g;h", TICKS), 30);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 20);
    assert_int_equal(test_self(p, "main", "f", TICKS), 50);
    toll_profile_free(p);
}

static void test_adoption(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_adopt(x.r, (toll_frame_id[]){ x.f, x.g }, 2, AT(500));
    toll_recorder_return(x.r, AT(510)); /* of g, charged from the adoption on */
    toll_recorder_return(x.r, AT(530));
    toll_recorder_return(x.r, AT(540)); /* no frame is open any more: an orphan */
    toll_recorder_call(x.r, x.h, AT(550));
    toll_profile *p = finish(x, 560);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 10);
    assert_int_equal(test_self(p, "main", "f", TICKS), 20);
    assert_int_equal(test_self(p, "main", "f", CALLS), 0);
    assert_int_equal(test_self(p, "main", "f;g", CALLS), 0);
    assert_int_equal(test_self(p, "main", "", TICKS), 20);
    assert_int_equal(note(p, "returns without a call"), 1);
    assert_int_equal(test_sum(p, TICKS), 60);
    toll_profile_free(p);
}

static void test_stopping(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_call(x.r, x.g, AT(10));
    toll_recorder_stop(x.r, AT(25));
    toll_recorder_return(x.r, AT(99)); /* ignored, and counted */
    toll_profile *p = finish(x, 100);
    assert_int_equal(test_self(p, "main", "f", TICKS), 10);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 15);
    assert_int_equal(note(p, "events after the stop, ignored"), 2);
    toll_profile_free(p);
}

static void test_max_depth(void **state)
{
    (void)state;
    toll_recorder_options o = { .size = sizeof o, .max_depth = 2 };
    fixture x = make(&o);
    play_worked_example(x);
    toll_recorder_call(x.r, x.h, AT(160)); /* as deep as before: folded frames are left */
    toll_recorder_return(x.r, AT(170));
    toll_profile *p = finish(x, 170);
    assert_int_equal(test_self(p, "main", "f", TICKS), 70);
    assert_int_equal(test_self(p, "main", "f;g", TICKS), 90); /* with h's 30 */
    assert_int_equal(test_self(p, "main", "f;g", CALLS), 1);
    assert_int_equal(test_self(p, "main", "h", TICKS), 10);
    assert_int_equal(note(p, "calls below the depth limit, folded"), 1);
    assert_int_equal(test_sum(p, TICKS), 170);
    toll_profile_free(p);
}

/* --- Threads -----------------------------------------------------------------------------------*/

static void test_switch(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_track *co;
    assert_ok(toll_recorder_new_track(x.r, "co", &co, err));
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_switch(x.r, co, AT(10));
    toll_recorder_call(x.r, x.g, AT(12));
    toll_recorder_switch(x.r, toll_recorder_main_track(x.r), AT(40));
    toll_recorder_return(x.r, AT(45));
    toll_recorder_switch(x.r, co, AT(100));
    toll_recorder_return(x.r, AT(103));
    toll_profile *p = finish(x, 110);
    assert_int_equal(test_self(p, "main", "f", TICKS), 15);
    assert_int_equal(test_self(p, "main", "", TICKS), 55);
    assert_int_equal(test_self(p, "co", "g", TICKS), 31);
    assert_int_equal(test_self(p, "co", "", TICKS), 9);
    assert_int_equal(test_sum(p, TICKS), 110);
    toll_profile_free(p);
}

/* A function that yields costs nothing while its thread is suspended, and so do its callers. */
static void test_yielding_function(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_frame_id yield = frame(x.r, "yield");
    toll_track *co;
    assert_ok(toll_recorder_new_track(x.r, "co", &co, err));
    toll_recorder_switch(x.r, co, AT(0));
    toll_recorder_call(x.r, x.g, AT(0));
    toll_recorder_call(x.r, yield, AT(5));
    toll_recorder_switch(x.r, toll_recorder_main_track(x.r), AT(6));
    toll_recorder_switch(x.r, co, AT(1000006));
    toll_recorder_return(x.r, AT(1000007));
    toll_recorder_return(x.r, AT(1000010));
    toll_profile *p = finish(x, 1000010);
    assert_int_equal(test_self(p, "co", "g;yield", TICKS), 2);
    assert_int_equal(test_self(p, "co", "g", TICKS), 8);
    assert_int_equal(test_self(p, "main", "", TICKS), 1000000);
    toll_profile_free(p);
}

static void test_join_threads(void **state)
{
    (void)state;
    toll_recorder_options o = { .size = sizeof o, .join_threads = 1 };
    fixture x = make(&o);
    toll_track *co, *main_track = toll_recorder_main_track(x.r);
    assert_ok(toll_recorder_new_track(x.r, "co", &co, err));
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_resume(x.r, co, AT(10));
    toll_recorder_call(x.r, x.h, AT(10));
    toll_recorder_switch(x.r, main_track, AT(20));
    toll_recorder_return(x.r, AT(25));
    toll_recorder_call(x.r, x.g, AT(25));
    toll_recorder_resume(x.r, co,
                         AT(30)); /* now under g: h continues there, without being called again */
    toll_recorder_return(x.r, AT(37));
    toll_recorder_switch(x.r, main_track, AT(37));
    toll_profile *p = finish(x, 40);
    assert_int_equal(test_self(p, "main", "f;h", TICKS), 10);
    assert_int_equal(test_self(p, "main", "f;h", CALLS), 1);
    assert_int_equal(test_self(p, "main", "g;h", TICKS), 7);
    assert_int_equal(test_self(p, "main", "g;h", CALLS), 0);
    assert_int_equal(test_self(p, "main", "g", TICKS), 8);
    assert_int_equal(test_sum(p, TICKS), 40);
    toll_profile_free(p);
}

static void test_ended_tracks_cost_no_memory(void **state)
{
    (void)state;
    toll_budget budget = { .limit = 4 << 20 };
    toll_allocator allocator = toll_budget_allocator(&budget);
    toll_recorder_options o = { .size = sizeof o, .allocator = &allocator };
    fixture x = make(&o);
    for (uint64_t i = 0; i < 100000; i++) {
        toll_track *co;
        assert_ok(toll_recorder_new_track(x.r, "worker", &co, err));
        toll_recorder_switch(x.r, co, AT(i));
        toll_recorder_call(x.r, x.f, AT(i));
        toll_recorder_end_track(x.r, co, AT(i + 1));
    }
    assert_true(budget.peak < 256 * 1024);
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    assert_int_equal(test_self(p, "worker", "f", TICKS), 100000);
    toll_profile_free(p);
    toll_recorder_free(x.r);
    assert_int_equal(budget.used, 0);
}

/* --- Heap sites --------------------------------------------------------------------------------*/

enum { ALLOC_OBJECTS = 2, ALLOC_SPACE, INUSE_OBJECTS, INUSE_SPACE };

static void assert_heap(const toll_profile *p, const char *stack, int64_t objects, int64_t space,
                        int64_t live_objects, int64_t live_space)
{
    assert_int_equal(test_self(p, "main", stack, ALLOC_OBJECTS), objects);
    assert_int_equal(test_self(p, "main", stack, ALLOC_SPACE), space);
    assert_int_equal(test_self(p, "main", stack, INUSE_OBJECTS), live_objects);
    assert_int_equal(test_self(p, "main", stack, INUSE_SPACE), live_space);
}

static void test_heap_alloc_free_realloc(void **state)
{
    (void)state;
    toll_recorder_options o = { .size = sizeof o, .heap = 1 };
    fixture x = make(&o);
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_heap_alloc(x.r, 0x1000, 100);
    toll_recorder_heap_alloc(x.r, 0x2000, 50);
    toll_recorder_call(x.r, x.g, AT(1));
    toll_recorder_heap_free(x.r, 0x2000); /* subtracted from f, whichever stack frees */
    toll_recorder_heap_realloc(x.r, 0x1000, 0x3000, 8); /* free at f, alloc at f;g */
    toll_profile *p = finish(x, 2);
    assert_heap(p, "f", 2, 150, 0, 0);
    assert_heap(p, "f;g", 1, 8, 1, 8);
    toll_profile_free(p);
}

static void test_heap_unknown_free_and_live_alloc_are_counted(void **state)
{
    (void)state;
    toll_recorder_options o = { .size = sizeof o, .heap = 1 };
    fixture x = make(&o);
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_heap_free(x.r, 0x9);
    toll_recorder_heap_alloc(x.r, 0x1000, 100);
    toll_recorder_heap_alloc(x.r, 0x1000, 30);
    toll_profile *p = finish(x, 2);
    assert_heap(p, "f", 2, 130, 1, 30);
    assert_int_equal(note(p, "frees of an unknown address"), 1);
    assert_int_equal(note(p, "allocations at an address that was in use"), 1);
    toll_profile_free(p);
}

static void test_heap_many_blocks_against_a_model(void **state)
{
    (void)state;
    enum { BLOCKS = 5000, STEPS = 200000 };
    static uint64_t size_of[BLOCKS];
    toll_recorder_options o = { .size = sizeof o, .heap = 1 };
    fixture x = make(&o);
    uint64_t seed = 12345, live = 0, objects = 0;
    memset(size_of, 0, sizeof size_of);
    toll_recorder_call(x.r, x.f, AT(0));
    for (int i = 0; i < STEPS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t k = seed >> 33 & (BLOCKS - 1), size = 1 + (seed >> 20 & 255);
        if (k >= BLOCKS)
            continue;
        if (size_of[k]) {
            toll_recorder_heap_free(x.r, 64 * k);
            live -= size_of[k];
            objects--;
            size_of[k] = 0;
        } else {
            toll_recorder_heap_alloc(x.r, 64 * k, size);
            live += size_of[k] = size;
            objects++;
        }
    }
    toll_profile *p = finish(x, 1);
    assert_int_equal(test_self(p, "main", "f", INUSE_SPACE), live);
    assert_int_equal(test_self(p, "main", "f", INUSE_OBJECTS), objects);
    assert_int_equal(note(p, "frees of an unknown address"), 0);
    toll_profile_free(p);
}

/* --- Invariants --------------------------------------------------------------------------------*/

/* Random events on three tracks with two counters: the sums are what the counters moved. */
static void random_run(uint64_t seed, uint32_t max_depth)
{
    toll_counter counters[2] = { { "ticks", "count", 0 }, { "cu", "CU", 1 } };
    toll_recorder_options o = { .size = sizeof o,
                                .counters = counters,
                                .counter_count = 2,
                                .max_depth = max_depth,
                                .join_threads = (int)(seed & 1) };
    fixture x = make(&o);
    toll_track *tracks[3] = { toll_recorder_main_track(x.r) };
    assert_ok(toll_recorder_new_track(x.r, "a", &tracks[1], err));
    assert_ok(toll_recorder_new_track(x.r, "b", &tracks[2], err));
    uint64_t now[2] = { 5, UINT64_C(1) << 40 };
    toll_recorder_charge(x.r, now);
    for (int i = 0; i < 3000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        unsigned what = (unsigned)(seed >> 60), which = (unsigned)(seed >> 40 & 0xff) % 3;
        toll_frame_id id = which == 0 ? x.f : which == 1 ? x.g : x.h;
        now[0] += seed >> 33 & 0x3f;
        now[1] -= seed >> 50 & 0x3f;
        if (what < 6)
            toll_recorder_call(x.r, id, now);
        else if (what < 11)
            toll_recorder_return(x.r, now);
        else if (what < 12)
            toll_recorder_tail_call(x.r, id, now);
        else if (what < 13)
            toll_recorder_unwind(x.r, which, now);
        else if (what < 14)
            toll_recorder_switch(x.r, tracks[which], now);
        else
            toll_recorder_resume(x.r, tracks[which], now);
    }
    toll_recorder_stop(x.r, now);
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    assert_int_equal(test_sum(p, 1), now[0] - 5);
    assert_int_equal(test_sum(p, 2), (UINT64_C(1) << 40) - now[1]);
    toll_profile_free(p);
    toll_recorder_free(x.r);
}

static void test_conservation(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++)
        random_run(seed, seed % 3 == 0 ? 2 : 0);
}

static void test_nothing_silently_lost(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_return(x.r, AT(0));
    toll_recorder_return(x.r, AT(1));
    toll_recorder_call(x.r, x.f, AT(10));
    toll_recorder_return(x.r, AT(7)); /* the counter went back: charged 0, counted */
    toll_recorder_call(x.r, x.f, AT(9));
    toll_recorder_return(x.r, AT(11));
    assert_ok(toll_recorder_note(x.r, "odd things", 3, err));
    toll_profile *p = finish(x, 11);
    assert_int_equal(note(p, "returns without a call"), 2);
    assert_int_equal(note(p, "steps of a counter in the wrong direction, charged as 0"), 1);
    assert_int_equal(note(p, "odd things"), 3);
    assert_int_equal(test_self(p, "main", "f", TICKS), 2);
    assert_int_equal(test_sum(p, TICKS), 10 + 2 + 2);
    toll_profile_free(p);
}

static void test_rebase_charges_nobody(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_call(x.r, x.f, AT(100));
    toll_recorder_charge(x.r, AT(110));
    toll_recorder_rebase(x.r, AT(5));
    toll_recorder_return(x.r, AT(8));
    toll_profile *p = finish(x, 8);
    assert_int_equal(test_self(p, "main", "f", TICKS), 13);
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

static void test_movement_beyond_64_bits_is_an_error(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    toll_recorder_call(x.r, x.f, AT(0));
    for (int i = 0; i < 3; i++) {
        toll_recorder_charge(x.r, AT(INT64_MAX));
        toll_recorder_rebase(x.r, AT(0));
    }
    assert_int_equal(toll_recorder_snapshot(x.r, NULL, &p, &e), TOLL_E_OVERFLOW);
    assert_null(p);
    assert_string_equal(e.text, "counter 'ticks' moved by more than 2^63");
    toll_recorder_free(x.r);
}

static void test_snapshot_in_the_middle_changes_nothing(void **state)
{
    (void)state;
    fixture x = make(NULL), y = make(NULL);
    toll_profile *p, *q;
    toll_recorder_call(y.r, y.f, AT(0));
    toll_recorder_charge(y.r, AT(7));
    assert_ok(toll_recorder_snapshot(y.r, NULL, &p, err));
    assert_int_equal(test_self(p, "main", "f", TICKS), 7);
    toll_profile_free(p);
    toll_recorder_return(y.r, AT(12));
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_return(x.r, AT(12));
    p = finish(x, 12);
    q = finish(y, 12);
    assert_int_equal(test_self(p, "main", "f", TICKS), test_self(q, "main", "f", TICKS));
    toll_profile_free(p);
    toll_profile_free(q);
}

static void test_bad_options(void **state)
{
    (void)state;
    toll_recorder *r;
    toll_recorder_options many = { .size = sizeof many, .counters = &ticks, .counter_count = 5 };
    assert_int_equal(toll_recorder_create(&many, &r, NULL), TOLL_E_ARGUMENT);
}

/* --- memory ------------------------------------------------------------------------------------*/

static toll_status whole_life(const toll_allocator *allocator, void *user)
{
    (void)user;
    toll_recorder_options o = { .size = sizeof o,
                                .allocator = allocator,
                                .counters = &ticks,
                                .counter_count = 1,
                                .heap = 1,
                                .join_threads = 1 };
    toll_recorder *r;
    toll_profile *p = NULL;
    toll_track *co = NULL;
    toll_frame_id f;
    toll_status status = toll_recorder_create(&o, &r, NULL);
    if (status)
        return status;
    status = toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, NULL);
    if (!status)
        status = toll_recorder_new_track(r, "co", &co, NULL);
    if (!status) {
        toll_recorder_call(r, f, AT(0));
        toll_recorder_heap_alloc(r, 16, 16);
        toll_recorder_resume(r, co, AT(1));
        for (uint64_t i = 0; i < 1000; i++)
            toll_recorder_call(r, f, AT(1 + i));
        toll_recorder_unwind(r, 2, AT(2000));
        toll_recorder_switch(r, toll_recorder_main_track(r), AT(2000));
        toll_recorder_resume(r, co, AT(2001));
        toll_recorder_end_track(r, co, AT(2002));
        toll_recorder_stop(r, AT(3000));
        status = toll_recorder_snapshot(r, NULL, &p, NULL);
    }
    if (!status) {
        assert_int_equal(test_sum(p, TICKS), 3000); /* also when nodes were refused */
        if (note(p, "calls folded because memory ran out") ||
            note(p, "allocations not followed because memory ran out"))
            status = TOLL_E_NOMEM;
    }
    toll_profile_free(p);
    toll_recorder_free(r);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocations(whole_life, NULL, true);
}

static void test_memory_a_node_is_at_most_64_bytes(void **state)
{
    (void)state;
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    toll_recorder_options o = { .size = sizeof o, .allocator = &allocator };
    fixture x = make(&o);
    enum { NODES = 200000, FRAMES = 400 };
    toll_frame_id frames[FRAMES];
    char name[16];
    for (int i = 0; i < FRAMES; i++) {
        snprintf(name, sizeof name, "f%d", i);
        frames[i] = frame(x.r, name);
    }
    size_t before = budget.used;
    for (int i = 0; i < NODES; i++) {
        if (i % FRAMES == 0)
            toll_recorder_call(x.r, frames[(i / FRAMES) % FRAMES], AT(0));
        toll_recorder_call(x.r, frames[i % FRAMES], AT(0));
        toll_recorder_return(x.r, AT(0));
    }
    assert_true((budget.used - before) / NODES <= 64);
    toll_recorder_free(x.r);
    assert_int_equal(budget.used, 0);
}

static void test_a_frame_that_was_never_registered(void **state)
{
    (void)state;
    fixture x = make(NULL);
    toll_recorder_call(x.r, x.f, AT(0));
    toll_recorder_call(x.r, 77, AT(10));
    toll_recorder_call(x.r, x.g, AT(20)); /* within it: folded too */
    toll_recorder_return(x.r, AT(30));
    toll_recorder_return(x.r, AT(40));
    toll_recorder_call(x.r, x.g, AT(50));
    toll_recorder_return(x.r, AT(60));
    toll_profile *p = finish(x, 100);
    assert_int_equal(test_self(p, "main", "f", 1), 90);
    assert_int_equal(test_self(p, "main", "f;g", 1), 10);
    assert_int_equal(note(p, "calls of frames that were never registered, folded"), 2);
    toll_error e = { TOLL_OK, "" };
    toll_frame_id id;
    assert_int_equal(toll_profile_add_frame(p, &(toll_frame){ .name = NULL }, &id, &e),
                     TOLL_E_ARGUMENT);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_worked_example),
        cmocka_unit_test(test_calls_counting_down),
        cmocka_unit_test(test_calls_four_counters),
        cmocka_unit_test(test_tail_call),
        cmocka_unit_test(test_tail_call_without_a_frame),
        cmocka_unit_test(test_unwinding),
        cmocka_unit_test(test_adoption),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_max_depth),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_yielding_function),
        cmocka_unit_test(test_join_threads),
        cmocka_unit_test(test_ended_tracks_cost_no_memory),
        cmocka_unit_test(test_heap_alloc_free_realloc),
        cmocka_unit_test(test_heap_unknown_free_and_live_alloc_are_counted),
        cmocka_unit_test(test_heap_many_blocks_against_a_model),
        cmocka_unit_test(test_conservation),
        cmocka_unit_test(test_nothing_silently_lost),
        cmocka_unit_test(test_rebase_charges_nobody),
        cmocka_unit_test(test_movement_beyond_64_bits_is_an_error),
        cmocka_unit_test(test_snapshot_in_the_middle_changes_nothing),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_a_frame_that_was_never_registered),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_memory_a_node_is_at_most_64_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
