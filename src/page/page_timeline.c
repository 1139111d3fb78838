/* page_timeline.c - see page_timeline.h. */
#include "page/page_timeline.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "base/sort.h"

#include <inttypes.h>
#include <string.h>

enum { SHARED_EVENTS = 64 * 1024 }; /* lanes share a block up to this size */

/* Limits of a page: see docs/page.md. */
#define MOST_EVENTS UINT64_C(50000000)
#define MOST_BYTES UINT64_C(380000000) /* of a block: its base64 is a string that V8 can hold */

/* --- lanes and spans ---------------------------------------------------------------------------*/

static toll_status read_lane(toll_page_timeline *t, toll_page_lane *lane, toll_error *err)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more;
    uint64_t depth = 0;
    toll_status status = toll_timeline_read_thread(t->timeline, lane->thread, &r, err);
    if (status)
        return status;
    while ((more = toll_timeline_next(r, &e, err)) == 1) {
        lane->begin = lane->events++ ? lane->begin : e.at;
        lane->end = e.at;
        depth += e.is_open ? 1 : UINT64_MAX;
        lane->depth = depth > lane->depth ? depth : lane->depth;
        t->frames[e.frame] = 0;
    }
    toll_timeline_reader_free(r);
    return more < 0 ? err->status : TOLL_OK;
}

static int compare_lanes(const void *a, const void *b)
{
    const toll_page_lane *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->thread < y->thread ? -1 : 1;
}

static toll_status read_lanes(toll_page_timeline *t, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < t->thread_count; i++) {
        toll_page_lane *lane = &t->lanes[t->lane_count];
        *lane = (toll_page_lane){ .thread = i };
        status = read_lane(t, lane, err);
        t->lane_count += lane->events != 0;
    }
    if (!status && t->lane_count)
        toll_sort(t->lanes, t->lane_count, sizeof *t->lanes, compare_lanes);
    return status;
}

static void share_blocks(toll_page_timeline *t)
{
    for (uint32_t i = 0; i < t->lane_count; i++) {
        toll_page_span *span = t->span_count ? &t->spans[t->span_count - 1] : NULL;
        toll_page_lane *lane = &t->lanes[i];
        if (!span || span->events + lane->events > SHARED_EVENTS) {
            span = &t->spans[t->span_count++];
            *span = (toll_page_span){ .first = i };
        }
        span->end = i + 1;
        span->events += lane->events;
        lane->block = t->span_count - 1;
    }
}

toll_status toll_page_timeline_create(toll_page_timeline *t, const toll_mem *mem,
                                      const toll_timeline *timeline, bool compares, toll_error *err)
{
    *t = (toll_page_timeline){ .mem = *mem };
    if (!timeline || compares || toll_timeline_event_count(timeline) > MOST_EVENTS) {
        t->compares = timeline && compares;
        t->too_many = timeline && !compares ? toll_timeline_event_count(timeline) : 0;
        return TOLL_OK;
    }
    const toll_profile *names = toll_timeline_names(timeline);
    t->timeline = timeline;
    t->frame_count = toll_profile_frame_count(names);
    t->thread_count = toll_profile_thread_count(names);
    t->frames = toll_mem_new(mem, (size_t)t->frame_count + 1, sizeof *t->frames);
    t->lanes = toll_mem_new(mem, (size_t)t->thread_count + 1, sizeof *t->lanes);
    t->spans = toll_mem_new(mem, (size_t)t->thread_count + 1, sizeof *t->spans);
    if (!t->frames || !t->lanes || !t->spans)
        return toll_fail_nomem(err);
    memset(t->frames, 0xff, ((size_t)t->frame_count + 1) * sizeof *t->frames);
    toll_status status = read_lanes(t, err);
    share_blocks(t);
    if (!t->lane_count)
        t->timeline = NULL;
    return status;
}

void toll_page_timeline_free(toll_page_timeline *t)
{
    toll_mem_free(&t->mem, t->frames, (size_t)t->frame_count + 1, sizeof *t->frames);
    toll_mem_free(&t->mem, t->lanes, (size_t)t->thread_count + 1, sizeof *t->lanes);
    toll_mem_free(&t->mem, t->spans, (size_t)t->thread_count + 1, sizeof *t->spans);
}

/* --- blocks ------------------------------------------------------------------------------------*/

static uint64_t code_of(const toll_page_timeline *t, const toll_timeline_event *e)
{
    return e->is_open ? 1 + (uint64_t)!e->is_call + 2 * (uint64_t)t->frames[e->frame] : 0;
}

static uint64_t size_of(uint64_t number)
{
    uint64_t size = 1;
    for (; number >= 0x80; number >>= 7)
        size++;
    return size;
}

static toll_status measure_lane(const toll_page_timeline *t, const toll_page_lane *lane,
                                uint64_t bytes[TOLL_PAGE_COLUMNS], toll_error *err)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more;
    uint64_t at = lane->begin, second = 0;
    toll_status status = toll_timeline_read_thread(t->timeline, lane->thread, &r, err);
    if (status)
        return status;
    while ((more = toll_timeline_next(r, &e, err)) == 1) {
        bytes[TOLL_PAGE_EVENTS] += size_of(code_of(t, &e));
        bytes[TOLL_PAGE_STEPS] += size_of(e.at - at);
        bytes[TOLL_PAGE_SECOND] += size_of(e.second - second);
        at = e.at;
        second = e.second;
    }
    toll_timeline_reader_free(r);
    return more < 0 ? err->status : TOLL_OK;
}

toll_status toll_page_timeline_measure(toll_page_timeline *t, const toll_order *order,
                                       toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; t->timeline && i < t->frame_count; i++)
        if (t->frames[i] != TOLL_NONE)
            t->frames[i] = order->frame_rank[t->frames[i]];
    for (uint32_t i = 0; t->timeline && !status && i < t->lane_count; i++)
        status = measure_lane(t, &t->lanes[i], t->spans[t->lanes[i].block].bytes, err);
    for (uint32_t i = 0; i < t->span_count; i++)
        for (int c = 0; c < TOLL_PAGE_COLUMNS; c++)
            if (t->spans[i].bytes[c] > MOST_BYTES && t->timeline) {
                t->too_many = toll_timeline_event_count(t->timeline);
                t->timeline = NULL;
            }
    return status;
}

static toll_status put_lane(const toll_page_timeline *t, const toll_page_lane *lane, int column,
                            toll_page_block *b, toll_error *err)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more;
    uint64_t last = column == TOLL_PAGE_STEPS ? lane->begin : 0;
    toll_status status = toll_timeline_read_thread(t->timeline, lane->thread, &r, err);
    if (status)
        return status;
    while ((more = toll_timeline_next(r, &e, err)) == 1) {
        uint64_t at = column == TOLL_PAGE_STEPS ? e.at : e.second;
        toll_page_put_number(b, column == TOLL_PAGE_EVENTS ? code_of(t, &e) : at - last);
        last = at;
    }
    toll_timeline_reader_free(r);
    return more < 0 ? err->status : TOLL_OK;
}

toll_status toll_page_timeline_put(const toll_page_timeline *t, const toll_page_span *span,
                                   int column, toll_page_block *block, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = span->first; !status && i < span->end; i++)
        status = put_lane(t, &t->lanes[i], column, block, err);
    return status;
}

/* --- the header --------------------------------------------------------------------------------*/

static void put_axis(toll_value_type axis, toll_output *out)
{
    toll_json_put_text(out, "{\"type\":");
    toll_json_put_string(out, axis.type);
    toll_json_put_text(out, ",\"unit\":");
    toll_json_put_string(out, axis.unit);
    toll_json_put_text(out, "}");
}

/* The index of a thread among the page's threads, which are sorted by name; -1: not found. */
static int64_t find_thread(const toll_order *o, const char *name)
{
    uint32_t from = 0, end = o->thread_count;
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        int by = strcmp(toll_profile_thread_name(o->profile, o->threads[middle]), name);
        if (by == 0)
            return middle;
        from = by < 0 ? middle + 1 : from;
        end = by < 0 ? end : middle;
    }
    return -1;
}

static void put_lane_header(const toll_page_timeline *t, const toll_page_lane *lane,
                            const toll_order *order, toll_output *out)
{
    const char *name = toll_profile_thread_name(toll_timeline_names(t->timeline), lane->thread);
    toll_json_put_text(out, "{\"name\":");
    toll_json_put_string(out, name);
    toll_output_printf(out,
                       ",\"events\":%" PRIu64 ",\"depth\":%" PRIu64 ",\"begin\":\"%" PRIu64
                       "\",\"end\":\"%" PRIu64 "\",\"thread\":%" PRId64 ",\"block\":%" PRIu32 "}",
                       lane->events, lane->depth, lane->begin, lane->end, find_thread(order, name),
                       lane->block);
}

void toll_page_timeline_header(const toll_page_timeline *t, const toll_order *order,
                               toll_output *out)
{
    toll_value_type second;
    if (!t->timeline)
        return;
    toll_json_put_text(out, ",\n\"timeline\":{\"axes\":[");
    put_axis(toll_timeline_axis(t->timeline), out);
    if (toll_timeline_second_axis(t->timeline, &second)) {
        toll_json_put_text(out, ",");
        put_axis(second, out);
    }
    toll_output_printf(out, "],\"cut\":%s,\n\"threads\":[",
                       toll_timeline_is_cut(t->timeline) ? "true" : "false");
    for (uint32_t i = 0; i < t->lane_count; i++) {
        toll_json_put_text(out, i ? ",\n" : "\n");
        put_lane_header(t, &t->lanes[i], order, out);
    }
    toll_json_put_text(out, "]}");
}
