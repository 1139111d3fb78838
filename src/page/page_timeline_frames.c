/* page_timeline_frames.c - finds the frames of a timeline's events in the profile of the page. See
 * page_timeline.h. */
#include "base/fail.h"
#include "base/u64map.h"
#include "page/page_timeline.h"

#include <string.h>

static toll_frame frame_of(const toll_page_timeline *t, uint32_t frame)
{
    return toll_profile_frame(toll_timeline_names(t->timeline), frame);
}

/* Index functions of a profile by their address. The timeline has functions as they were recorded,
 * before debug information gave them another name, or a file and a line. If several programs have a
 * function at an address, the first is used. */
static bool index_addresses(toll_u64map *map, const toll_profile *p)
{
    toll_u64map_init(map, toll_profile_mem(p));
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++) {
        toll_frame f = toll_profile_frame(p, i);
        bool is_function = f.kind == TOLL_KIND_FUNCTION && !f.at_line && !f.at_address;
        if (f.address && is_function && toll_u64map_find(map, f.address) == UINT32_MAX &&
            !toll_u64map_add(map, f.address, i))
            return false;
    }
    return true;
}

static toll_frame_id find_frame(const toll_profile *p, const toll_u64map *by_address,
                                const toll_frame *frame)
{
    toll_frame_id id = toll_profile_find_frame(p, frame);
    uint32_t other = frame->address ? toll_u64map_find(by_address, frame->address) : UINT32_MAX;
    if (id != TOLL_NONE || other == UINT32_MAX)
        return id;
    toll_frame f = toll_profile_frame(p, other);
    bool is_same = strcmp(f.module, frame->module) == 0 && strcmp(f.build_id, frame->build_id) == 0;
    return is_same ? other : TOLL_NONE;
}

static toll_status add_frame(const toll_profile **profile, toll_profile **own,
                             const toll_frame *frame, toll_error *err)
{
    toll_status status = TOLL_OK;
    toll_frame_id id;
    if (!*own)
        status = toll_profile_copy(*profile, own, err);
    if (!status)
        status = toll_profile_add_frame(*own, frame, &id, err);
    if (!status)
        *profile = *own;
    return status;
}

toll_status toll_page_timeline_complete(toll_page_timeline *t, const toll_profile **profile,
                                        toll_profile **own, toll_error *err)
{
    const toll_profile *before = *profile;
    toll_u64map by_address;
    if (!t->timeline)
        return TOLL_OK;
    toll_status status = index_addresses(&by_address, before) ? TOLL_OK : toll_fail_nomem(err);
    for (uint32_t i = 0; !status && i < t->frame_count; i++) {
        toll_frame frame = frame_of(t, i);
        if (t->frames[i] != TOLL_NONE && find_frame(before, &by_address, &frame) == TOLL_NONE)
            status = add_frame(profile, own, &frame, err);
    }
    for (uint32_t i = 0; !status && i < t->frame_count; i++) { /* ids differ in a copy */
        toll_frame frame = frame_of(t, i);
        toll_frame_id id = find_frame(before, &by_address, &frame);
        if (id != TOLL_NONE)
            frame = toll_profile_frame(before, id);
        if (t->frames[i] != TOLL_NONE)
            t->frames[i] = toll_profile_find_frame(*profile, &frame);
    }
    toll_u64map_free(&by_address);
    return status;
}
