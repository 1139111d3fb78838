/* support_sections.h - for tests of sections: events in one line, a recorder that counts compute
 * units, collected log lines, and a random number. */
#ifndef TOLL_TESTS_SUPPORT_SECTIONS_H
#define TOLL_TESTS_SUPPORT_SECTIONS_H

#include "support.h"

#define AT(counter_now) (&(uint64_t){ counter_now })

static inline void begin(toll_sections *s, const char *id, uint64_t heap, uint64_t now)
{
    assert_ok(toll_sections_begin(s, id, strlen(id), heap ? &heap : NULL, &now, err));
}

static inline void end(toll_sections *s, const char *id, uint64_t heap, uint64_t now)
{
    assert_ok(toll_sections_end(s, id, strlen(id), heap ? &heap : NULL, &now, err));
}

/* Lines, each ended by a newline, in `user`, which has room for 4096 bytes. */
static inline toll_status append_line(void *user, const char *line, size_t size)
{
    char *text = user;
    size_t used = strlen(text);
    assert_true(used + size + 2 < 4096);
    memcpy(text + used, line, size);
    memcpy(text + used + size, "\n", 2);
    return TOLL_OK;
}

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % n;
}

static inline toll_recorder *make_recorder(int counts_down, uint32_t max_depth)
{
    toll_counter units = { "compute units", "CU", counts_down };
    toll_recorder_options o = { .size = sizeof o,
                                .counters = &units,
                                .counter_count = 1,
                                .section_heap = 1,
                                .max_depth = max_depth };
    toll_recorder *r;
    assert_ok(toll_recorder_create(&o, &r, err));
    return r;
}

static inline toll_frame_id frame(toll_recorder *r, const char *name, toll_frame_kind kind)
{
    toll_frame info = { .name = name, .kind = kind };
    toll_frame_id id;
    assert_ok(toll_recorder_add_frame(r, &info, &id, err));
    return id;
}

static inline toll_profile *finish(toll_recorder *r, uint64_t now)
{
    toll_profile *p;
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_recorder_free(r);
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

#endif
