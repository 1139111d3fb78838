/* support_stretch.h - a profile of a stretch of the small module of support_debug.h. */
#ifndef TOLL_TESTS_SUPPORT_STRETCH_H
#define TOLL_TESTS_SUPPORT_STRETCH_H

#include "support_debug.h"

#include "wasm/stretches.h"

#define BUILD_ID "663b7fa49be61fc2" /* of tiny_dwarf5 */

static inline toll_debug *tiny(const toll_allocator *a, toll_status *status)
{
    toll_debug *d = NULL;
    toll_input *in;
    *status = toll_input_from_memory(a, tiny_dwarf5, sizeof tiny_dwarf5, "app.wasm", &in, NULL);
    if (*status)
        return NULL;
    *status = toll_debug_read(a, in, &d, NULL);
    toll_input_free(in);
    return d;
}

/* The first stretch of `twice`, which has instructions of `square`, and its cost. */
static inline uint64_t first_stretch(uint64_t *cost)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    toll_wasm_stretches *s;
    const toll_wasm_step *steps;
    size_t count;
    assert_ok(toll_wasm_module_read(&m, &mem, "app", tiny_dwarf5, sizeof tiny_dwarf5, err));
    assert_ok(toll_wasm_stretches_create(&m, NULL, &s, err));
    assert_ok(toll_wasm_stretches_read(s, 0, &steps, &count, err));
    uint64_t address = steps[0].stretch;
    *cost = 0;
    for (size_t i = 0; i < count && steps[i].stretch == address; i++)
        *cost += steps[i].cost;
    toll_wasm_stretches_free(s);
    toll_wasm_module_free(&m);
    return address;
}

/* A profile with ten executions of that stretch, and so many ticks. NULL: no memory. */
static inline toll_profile *recorded(const toll_allocator *a, const char *build_id,
                                     uint64_t address, int64_t ticks)
{
    toll_frame frame = { .name = "twice#0",
                         .module = "app.wasm",
                         .build_id = build_id,
                         .address = TINY_INLINED,
                         .at_address = address };
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id id;
    toll_node_id node;
    if (toll_profile_create(a, &p, NULL))
        return NULL;
    if (toll_profile_add_column(p, "ticks", "count", NULL, NULL) ||
        toll_profile_add_column(p, "executions", "count", NULL, NULL) ||
        toll_profile_add_thread(p, "main", &thread, NULL) ||
        toll_profile_add_frame(p, &frame, &id, NULL) ||
        toll_profile_add_child(p, toll_profile_root(p, thread), id, &node, NULL) ||
        toll_profile_add_self(p, node, 0, ticks, NULL) ||
        toll_profile_add_self(p, node, 1, 10, NULL)) {
        toll_profile_free(p);
        return NULL;
    }
    return p;
}

#endif
