/* heap_profile.c - turns heap sites into a profile, which toll report and toll diff read. See
 * heap_sites.h. */
#include "base/fail.h"
#include "format/format_row.h"
#include "heapsites/heap_sites.h"
#include "profile/frame_name.h"

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

static toll_status add_site(const toll_heap_sites *s, toll_profile *p, toll_node_id node,
                            const toll_heap_site *site, uint32_t column, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = site->depth; !status && i-- > 0;) {
        const toll_heap_frame *f = toll_heap_frame_at(s, site, i);
        toll_frame_id id;
        status = add_frame(s, p, f->name, &id, err);
        if (!status)
            status = toll_profile_add_child(p, node, id, &node, err);
    }
    if (!status)
        status = toll_profile_add_self(p, node, column, site->count, err);
    return status ? status : toll_profile_add_self(p, node, column + 1, site->bytes, err);
}

toll_status toll_heap_profile_add(const toll_heap_sites *s, toll_profile *p, size_t from, size_t to,
                                  toll_error *err)
{
    toll_status status = TOLL_OK;
    for (; !status && from < to; from++)
        status = add_site(s, p, toll_profile_root(p, 0), &s->live.sites[from], OBJECTS, err);
    return status;
}

toll_status toll_heap_profile_end(const toll_heap_sites *s, toll_profile *p, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < s->growth.count; i++)
        status = add_site(s, p, toll_profile_root(p, 1), &s->growth.sites[i], GROWTHS, err);
    for (size_t i = 0; !status && i < toll_heap_note_count(s); i++) {
        uint64_t count;
        const char *text = toll_heap_note(s, i, &count);
        status = toll_profile_add_note(p, text, count, err);
    }
    return status;
}
