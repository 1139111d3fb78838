/* test_timeline_position.c - reads a timeline from positions in its middle: as the rest of what is
 * read from its beginning. */
#include "support.h"

#include "record/timeline_position.h"

#include "support_sections.h"

enum { EVENTS = 60000, EACH = 997, MARKS = EVENTS / EACH + 1 };

static const toll_value_type axis = { "time", "nanoseconds" }, ticks = { "ticks", "count" };

/* Open and close three frames at random, several blocks of them; sets a position each EACH events.
 */
static void fill(toll_timeline *t, toll_timeline_position marks[MARKS])
{
    static const char *const names[] = { "f", "g", "h" };
    uint64_t seed = 7, now = 0, depth = 0;
    for (int i = 0; i < EVENTS; i++) {
        toll_frame_id id;
        if (i % EACH == 0)
            marks[i / EACH] = toll_timeline_end(t, 0);
        toll_timeline_set_second(t, (uint64_t)i);
        now += random_below(&seed, 1000);
        if (depth && random_below(&seed, 2)) {
            toll_timeline_close(t, 0, now);
            depth--;
            continue;
        }
        toll_frame f = { .name = names[random_below(&seed, 3)] };
        assert_ok(toll_timeline_add_frame(t, &f, &id, err));
        toll_timeline_open(t, 0, id, now);
        depth++;
    }
}

static void hold_rest(const toll_timeline *t, const toll_timeline_position *from,
                      const toll_timeline_event *all, size_t count)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    uint64_t depth = from->depth, unknown = from->depth;
    assert_ok(toll_timeline_read_from(t, 0, from, &r, err));
    for (size_t i = from->events; i < count; i++) {
        assert_int_equal(toll_timeline_next(r, &e, NULL), 1);
        bool is_known = e.is_open || depth > unknown;
        depth = e.is_open ? depth + 1 : depth - 1;
        unknown = depth < unknown ? depth : unknown;
        assert_int_equal(e.frame, is_known ? all[i].frame : TOLL_NONE);
        assert_int_equal(e.is_open, all[i].is_open);
        assert_int_equal(e.at, all[i].at);
        assert_int_equal(e.second, all[i].second);
    }
    assert_int_equal(toll_timeline_next(r, &e, NULL), 0);
    toll_timeline_reader_free(r);
}

static void test_the_rest_is_read(bool in_memory)
{
    static toll_timeline_event all[2 * EVENTS];
    toll_timeline_position marks[MARKS];
    toll_timeline *t;
    toll_thread_id thread;
    toll_timeline_reader *r;
    size_t count = 0;
    assert_ok(toll_timeline_create(NULL, axis, in_memory, &t, err));
    assert_ok(toll_timeline_add_second_axis(t, ticks, err));
    assert_ok(toll_timeline_add_thread(t, "t", &thread, err));
    fill(t, marks);
    toll_timeline_position end = toll_timeline_end(t, 0);
    assert_int_equal(end.events, EVENTS);
    assert_ok(toll_timeline_read_thread(t, 0, &r, err));
    while (toll_timeline_next(r, &all[count], NULL) == 1)
        count++;
    toll_timeline_reader_free(r);
    assert_true(count >= EVENTS);
    assert_true(marks[MARKS - 1].block > marks[0].block + 1);
    for (size_t i = 0; i < MARKS; i++)
        hold_rest(t, &marks[i], all, count);
    hold_rest(t, &end, all, count);
    toll_timeline_free(t);
}

static void test_the_rest_of_a_timeline_in_memory(void **state)
{
    (void)state;
    test_the_rest_is_read(true);
}

static void test_the_rest_of_a_timeline_in_a_file(void **state)
{
    (void)state;
    test_the_rest_is_read(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rest_of_a_timeline_in_memory),
        cmocka_unit_test(test_the_rest_of_a_timeline_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
