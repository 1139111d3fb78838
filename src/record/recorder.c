/* recorder.c - creates and frees recorders, and registers their frames. See toll/recorder.h. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "record/recorder_data.h"

/* Copy the caller's options to *o and check them. */
static toll_status copy_options(const toll_recorder_options *given, toll_recorder_options *o,
                                toll_error *err)
{
    if (!given)
        return toll_fail_null(err, "options");
    toll_status status = toll_options_copy(o, sizeof *o, given, "toll_recorder_options", err);
    if (status)
        return status;
    if (!o->counters && o->counter_count)
        return toll_fail_null(err, "options->counters");
    if (o->counter_count > TOLL_MAX_COUNTERS)
        return toll_fail(err, TOLL_E_ARGUMENT, "a recorder has %d counters at most, not %u",
                         TOLL_MAX_COUNTERS, o->counter_count);
    if (o->call_lines && !o->lines)
        return toll_fail(err, TOLL_E_ARGUMENT, "call_lines needs lines");
    if (o->timeline && o->timeline_counter >= o->counter_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "the timeline's counter is %u of %u",
                         o->timeline_counter, o->counter_count);
    if (o->timeline && toll_timeline_second_axis(o->timeline, NULL) &&
        o->timeline_second >= o->counter_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "the timeline's second counter is %u of %u",
                         o->timeline_second, o->counter_count);
    return TOLL_OK;
}

/* Columns: calls, the counters, executions, and those of the heap. */
static toll_status add_columns(toll_recorder *r, const toll_recorder_options *o, toll_error *err)
{
    static const toll_value_type heap[] = {
        { "alloc_objects", "count" },
        { "alloc_space", "bytes" },
        { "inuse_objects", "count" },
        { "inuse_space", "bytes" },
    };
    toll_status status = toll_profile_add_column(r->profile, "calls", "count", NULL, err);
    for (uint32_t i = 0; !status && i < o->counter_count; i++)
        status = toll_profile_add_column(r->profile, o->counters[i].type, o->counters[i].unit, NULL,
                                         err);
    if (!status && o->lines)
        status = toll_profile_add_column(r->profile, "executions", "count", NULL, err);
    if (!status && o->section_heap)
        status = toll_profile_add_column(r->profile, "heap", "bytes", NULL, err);
    for (uint32_t i = 0; !status && o->heap && i < 4; i++)
        status = toll_profile_add_column(r->profile, heap[i].type, heap[i].unit, NULL, err);
    return status;
}

static void set_columns(toll_recorder *r, const toll_recorder_options *o)
{
    uint32_t next = 1 + o->counter_count;
    r->execution_column = o->lines ? next++ : 0;
    r->section_heap_column = o->section_heap ? next++ : 0;
    r->heap_column = o->heap ? next : 0;
}

static toll_status set_up(toll_recorder *r, const toll_recorder_options *o, toll_error *err)
{
    toll_status status = toll_profile_create(&r->mem, &r->profile, err);
    if (!status)
        status = add_columns(r, o, err);
    if (!status)
        status = toll_recorder_new_track(r, o->main_thread ? o->main_thread : "main",
                                         &r->main_track, err);
    r->track = r->main_track;
    return status;
}

toll_status toll_recorder_create(const toll_recorder_options *options, toll_recorder **out,
                                 toll_error *err)
{
    toll_recorder_options own, *o = &own;
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = copy_options(options, o, err);
    *out = NULL;
    if (status)
        return status;
    toll_mem mem = toll_mem_from(o->allocator);
    toll_recorder *r = toll_mem_new(&mem, 1, sizeof *r);
    if (!r)
        return toll_fail_nomem(err);
    r->mem = mem;
    r->state = TOLL_RECORDER_NEW;
    r->max_depth = o->max_depth ? o->max_depth : UINT64_MAX;
    r->join_threads = o->join_threads != 0;
    r->call_lines = o->call_lines != 0;
    r->counter_count = o->counter_count;
    for (uint32_t i = 0; i < o->counter_count; i++)
        r->counters[i].flip = o->counters[i].counts_down ? UINT64_MAX : 0;
    set_columns(r, o);
    toll_heap_map_init(&r->heap, &mem);
    r->timeline = o->timeline;
    r->timeline_counter = o->timeline_counter;
    r->timeline_second = o->timeline_second;
    status = set_up(r, o, err);
    if (status) {
        toll_recorder_free(r);
        return status;
    }
    *out = r;
    return TOLL_OK;
}

void toll_recorder_free(toll_recorder *r)
{
    if (!r)
        return;
    toll_mem mem = r->mem;
    while (r->tracks)
        toll_recorder_drop_track(r, r->tracks);
    toll_heap_map_free(&r->heap);
    toll_mem_free(&mem, r->scratch, r->scratch_capacity, sizeof *r->scratch);
    toll_mem_free(&mem, r->timeline_codes, r->timeline_code_count, sizeof *r->timeline_codes);
    toll_profile_free(r->profile);
    toll_mem_free(&mem, r, 1, sizeof *r);
}

toll_status toll_recorder_add_frame(toll_recorder *r, const toll_frame *frame, toll_frame_id *out,
                                    toll_error *err)
{
    if (out)
        *out = TOLL_NONE;
    if (!r)
        return toll_recorder_fail_null(err);
    if (r->timeline && !toll_recorder_timeline_reserve(r, (toll_frame_id)r->profile->frame_count))
        return toll_fail_nomem(err);
    return toll_profile_add_frame(r->profile, frame, out, err);
}

toll_frame toll_recorder_frame(const toll_recorder *r, toll_frame_id frame)
{
    static const toll_frame none = {
        .name = "", .file = "", .system_name = "", .module = "", .build_id = ""
    };
    return r ? toll_profile_frame(r->profile, frame) : none;
}

toll_status toll_recorder_rename_frame(toll_recorder *r, toll_frame_id frame, const char *name,
                                       toll_error *err)
{
    if (!r)
        return toll_recorder_fail_null(err);
    toll_status status = TOLL_OK;
    if (r->timeline && name && frame < toll_profile_frame_count(r->profile))
        status = toll_recorder_timeline_rename(r, frame, name, err);
    return status ? status : toll_profile_rename_frame(r->profile, frame, name, err);
}
