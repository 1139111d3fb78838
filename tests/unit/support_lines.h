/* support_lines.h - for tests of lines: a recorder with functions f and g, sections s and t, and
 * places; and stacks as text. "f@2;g" is g under f at line 2. */
#ifndef TOLL_TESTS_SUPPORT_LINES_H
#define TOLL_TESTS_SUPPORT_LINES_H

#include "support.h"

#include <toll/recorder.h>
#include <toll/timeline.h>

#define AT(ticks_now) (&(uint64_t){ ticks_now })

enum { F, G, S, T, F2, F3, G8, G9, LINES_FRAMES }; /* the ids of the frames */
enum { CALLS, TICKS, EXECUTIONS };                 /* and of the columns */

static inline void add_frames(toll_recorder *r)
{
    static const toll_frame frames[LINES_FRAMES] = {
        [F] = { .name = "f", .file = "a.lua", .line = 1 },
        [G] = { .name = "g", .file = "a.lua", .line = 7 },
        [S] = { .name = "s", .kind = TOLL_KIND_SECTION },
        [T] = { .name = "t", .kind = TOLL_KIND_SECTION },
        [F2] = { .name = "f", .file = "a.lua", .line = 1, .at_line = 2 },
        [F3] = { .name = "f", .file = "a.lua", .line = 1, .at_line = 3 },
        [G8] = { .name = "g", .file = "a.lua", .line = 7, .at_line = 8 },
        [G9] = { .name = "g", .file = "a.lua", .line = 7, .at_line = 9 },
    };
    for (toll_frame_id i = 0, id; i < LINES_FRAMES; i++) {
        assert_ok(toll_recorder_add_frame(r, &frames[i], &id, err));
        assert_int_equal(id, i);
    }
}

static inline toll_recorder *make_lines(const toll_recorder_options *given)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = given ? *given : (toll_recorder_options){ .size = 0 };
    toll_recorder *r;
    o.size = sizeof o;
    o.counters = &ticks;
    o.counter_count = 1;
    o.lines = 1;
    assert_ok(toll_recorder_create(&o, &r, err));
    add_frames(r);
    return r;
}

/* Take the profile, free the recorder, and check the invariants. */
static inline toll_profile *finish(toll_recorder *r, uint64_t now)
{
    toll_profile *p;
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_recorder_free(r);
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static inline const char *join(const char *outer, const char *inner)
{
    static char stack[256];
    snprintf(stack, sizeof stack, "%s;%s", outer, inner);
    return stack;
}

/* The stack of a node as text; *thread, if wanted, is its root. */
static inline void stack_of(const toll_profile *p, toll_node_id node, char *stack, size_t size,
                            toll_node_id *root)
{
    *stack = 0;
    for (; toll_profile_node_frame(p, node) != TOLL_NONE; node = toll_profile_parent(p, node)) {
        char longer[1024], place[16] = "";
        toll_frame f = toll_profile_frame(p, toll_profile_node_frame(p, node));
        if (f.at_line)
            snprintf(place, sizeof place, "@%u", f.at_line);
        int length =
            snprintf(longer, sizeof longer, "%s%s%s%s", f.name, place, *stack ? ";" : "", stack);
        assert_in_range(length, 1, size - 1);
        memcpy(stack, longer, (size_t)length + 1);
    }
    *root = node;
}

static inline int64_t self_of(const toll_profile *p, const char *thread, const char *stack,
                              uint32_t column)
{
    for (toll_node_id node = 0; node < toll_profile_node_count(p); node++) {
        char found[1024];
        toll_node_id root;
        stack_of(p, node, found, sizeof found, &root);
        for (toll_thread_id t = 0; t < toll_profile_thread_count(p); t++)
            if (toll_profile_root(p, t) == root && strcmp(found, stack) == 0 &&
                strcmp(toll_profile_thread_name(p, t), thread) == 0)
                return toll_profile_self(p, node, column);
    }
    fail_msg("no stack '%s' in thread '%s'", stack, thread);
    return 0;
}

static inline void assert_costs(const toll_profile *p, const char *stack, int64_t calls,
                                int64_t ticks, int64_t executions)
{
    assert_int_equal(self_of(p, "main", stack, CALLS), calls);
    assert_int_equal(self_of(p, "main", stack, TICKS), ticks);
    assert_int_equal(self_of(p, "main", stack, EXECUTIONS), executions);
}

#endif
