/* heap_profile.c - turns heap sites into a profile, which toll report and toll diff read. See
 * heap_sites.h. */
#include "base/fail.h"
#include "format/format_row.h"
#include "heapsites/heap_sites.h"
#include "profile/frame_name.h"
#include "profile/thread_labels.h"

#include <inttypes.h>
#include <stdio.h>

enum { OBJECTS, SPACE, GROWTHS, GROWTH_SPACE };

toll_status toll_heap_profile_begin(const toll_heap_sites *s, toll_profile **out, toll_error *err)
{
    static const toll_value_type columns[] = { { "inuse_objects", "count" },
                                               { "inuse_space", "bytes" },
                                               { "growths", "count" },
                                               { "growth_space", "bytes" } };
    toll_thread_id thread;
    toll_status status = toll_profile_create(&s->mem, out, err);
    if (status)
        return status;
    for (int c = 0; !status && c < 4; c++)
        status = toll_profile_add_column(*out, columns[c].type, columns[c].unit, NULL, err);
    if (!status)
        status = toll_profile_add_thread(*out, TOLL_HEAP_THREAD, &thread, err);
    if (!status && s->growth.count)
        status = toll_profile_add_thread(*out, TOLL_GROWTH_THREAD, &thread, err);
    if (!status) {
        toll_profile_set_default_column(*out, SPACE);
        return TOLL_OK;
    }
    toll_profile_free(*out);
    *out = NULL;
    return status;
}

static toll_status add_frame(const toll_heap_sites *s, toll_profile *p, uint32_t name,
                             toll_frame_id *out, toll_error *err)
{
    toll_buffer room;
    toll_buffer_init(&room, &s->mem);
    toll_frame frame = { .name = toll_strtab_text(&s->names, name) };
    toll_status status = toll_frame_demangle(&frame, &room)
                             ? toll_profile_add_frame(p, &frame, out, err)
                             : toll_fail_nomem(err);
    toll_buffer_free(&room);
    return status;
}

/* Add blocks to the stack of a site, in the columns from `column` on. */
static toll_status add_blocks(const toll_heap_sites *s, toll_profile *p, toll_thread_id thread,
                              const toll_heap_site *site, uint32_t column, int64_t count,
                              int64_t bytes, toll_error *err)
{
    toll_node_id node = toll_profile_root(p, thread);
    toll_status status = TOLL_OK;
    for (uint32_t i = site->depth; !status && i-- > 0;) {
        const toll_heap_frame *f = toll_heap_frame_at(s, site, i);
        toll_frame_id id;
        status = add_frame(s, p, f->name, &id, err);
        if (!status)
            status = toll_profile_add_child(p, node, id, &node, err);
    }
    if (!status)
        status = toll_profile_add_self(p, node, column, count, err);
    return status ? status : toll_profile_add_self(p, node, column + 1, bytes, err);
}

/* Find or add the thread of the blocks that a snapshot was the first to have. */
static toll_status add_age(toll_profile *p, uint32_t snapshot, toll_thread_id *thread,
                           toll_error *err)
{
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, snapshot);
    const toll_thread_label label = { TOLL_SNAPSHOT_KEY, number };
    return toll_profile_add_labelled_thread(p, TOLL_HEAP_THREAD, &label, 1, thread, err);
}

/* Add a site's blocks by age, and those whose age is not known. */
static toll_status add_site(const toll_heap_sites *s, toll_profile *p, const toll_heap_site *site,
                            toll_error *err)
{
    int64_t count = site->count - site->aged_count, bytes = site->bytes - site->aged_bytes;
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < site->age_count; i++) {
        const toll_heap_age *age = &s->ages[site->first_age + i];
        toll_thread_id thread;
        status = add_age(p, age->snapshot, &thread, err);
        if (!status)
            status = add_blocks(s, p, thread, site, OBJECTS, age->count, age->bytes, err);
    }
    return status || (!count && !bytes) ? status
                                        : add_blocks(s, p, 0, site, OBJECTS, count, bytes, err);
}

toll_status toll_heap_profile_add(const toll_heap_sites *s, toll_profile *p, size_t from, size_t to,
                                  toll_error *err)
{
    toll_status status = TOLL_OK;
    for (; !status && from < to; from++)
        status = add_site(s, p, &s->live.sites[from], err);
    return status;
}

toll_status toll_heap_profile_end(const toll_heap_sites *s, toll_profile *p, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < s->growth.count; i++) {
        const toll_heap_site *site = &s->growth.sites[i];
        status = add_blocks(s, p, 1, site, GROWTHS, site->count, site->bytes, err);
    }
    for (size_t i = 0; !status && i < toll_heap_note_count(s); i++) {
        uint64_t count;
        const char *text = toll_heap_note(s, i, &count);
        status = toll_profile_add_note(p, text, count, err);
    }
    return status;
}
