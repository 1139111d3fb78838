/* support_profile.h - profiles of calls and ticks, compared as text, and their sums. */
#ifndef TOLL_TESTS_SUPPORT_PROFILE_H
#define TOLL_TESTS_SUPPORT_PROFILE_H

#include "support.h"

#include "profile/order.h"
#include "profile/profile_data.h"

static inline toll_profile *empty_with(const toll_allocator *a, const char *const *types,
                                       uint32_t count)
{
    toll_profile *p;
    assert_ok(toll_profile_create(a, &p, err));
    for (uint32_t i = 0; i < count; i++)
        assert_ok(toll_profile_add_column(p, types[i], "count", NULL, err));
    return p;
}

static inline toll_profile *empty(void)
{
    return empty_with(NULL, (const char *const[]){ "calls", "ticks" }, 2);
}

/* The profile as text in canonical order: "thread: a;b calls=1 ticks=2 | ...". Profiles with equal
 * content have exactly the same text. Frames are followed by place and kind. */
static inline char *dump(const toll_profile *p)
{
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room);
    toll_order order;
    assert_non_null(text);
    assert_ok(toll_order_create(&order, p, err));
    uint32_t d = toll_profile_default_column(p);
    used += (size_t)snprintf(text, room, "default=%s ",
                             d == TOLL_NONE ? "-" : toll_profile_column(p, d).type);
    for (uint32_t t = 0; t < order.thread_count; t++) {
        used += (size_t)snprintf(text + used, room - used,
                                 "%s:", toll_profile_thread_name(p, order.threads[t]));
        toll_walk w = toll_walk_begin(&order, toll_profile_root(p, order.threads[t]));
        while (toll_walk_next(&w)) {
            if (!w.entering) {
                used += (size_t)snprintf(text + used, room - used, ")");
                continue;
            }
            toll_frame_id id = toll_profile_node_frame(p, w.node);
            toll_frame f = id == TOLL_NONE ? (toll_frame){ .name = "" } : toll_profile_frame(p, id);
            used += (size_t)snprintf(text + used, room - used, "(%s@%s:%u/%d", f.name, f.file,
                                     f.line, (int)f.kind);
            for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
                used += (size_t)snprintf(text + used, room - used, " %s=%lld",
                                         toll_profile_column(p, c).type,
                                         (long long)toll_profile_self(p, w.node, c));
            assert_true(used < room - 1000);
        }
    }
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t n;
        const char *note = toll_profile_note(p, i, &n);
        used +=
            (size_t)snprintf(text + used, room - used, " !%s=%llu", note, (unsigned long long)n);
    }
    for (uint32_t i = 0; i < toll_profile_comment_count(p); i++)
        used += (size_t)snprintf(text + used, room - used, " #%s", toll_profile_comment(p, i));
    for (uint32_t i = 0; i < toll_profile_run_kind_count(p); i++) {
        uint64_t n;
        const char *kind = toll_profile_run_kind(p, i, &n);
        used +=
            (size_t)snprintf(text + used, room - used, " %lluruns:%s", (unsigned long long)n, kind);
    }
    if (toll_profile_has_unknown_runs(p))
        used += (size_t)snprintf(text + used, room - used, " others");
    snprintf(text + used, room - used, " start=%lld duration=%lld",
             (long long)toll_profile_start_ns(p), (long long)toll_profile_duration_ns(p));
    toll_order_free(&order);
    return text;
}

static inline void assert_same(const toll_profile *a, const toll_profile *b)
{
    char *x = dump(a), *y = dump(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static inline int64_t sum(const toll_profile *p, uint32_t column)
{
    int64_t s = 0;
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++)
        s += toll_profile_self(p, i, column);
    return s;
}

#endif
