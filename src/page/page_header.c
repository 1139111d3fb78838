/* page_header.c - see page_header.h. */
#include "page/page_header.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "base/text.h"
#include "profile/call_site.h"
#include "profile/sampled.h"
#include "report/outside.h"
#include "report/precision.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <toll/version.h>

static void put_member(toll_output *out, const char *name, const char *text)
{
    toll_output_printf(out, ",\n\"%s\":", name);
    toll_json_put_string(out, text);
}

/* --- values ------------------------------------------------------------------------------------*/

/* Sum up a column on one side; *lines becomes true if a place has a value. */
static toll_status sum_up(toll_page_tables *t, uint32_t side, uint32_t column, int64_t *sum,
                          bool *lines, toll_error *err)
{
    const toll_stack_tree *p = t->tree;
    toll_stack_values(p, side, column, t->values);
    *sum = 0;
    for (uint32_t n = 0; n < p->node_count; n++) {
        if (!toll_i64_add(*sum, t->values[n], sum))
            return toll_fail(err, TOLL_E_OVERFLOW, "the sum of '%.100s' does not fit 64 bits",
                             toll_profile_column(p->tree, column).type);
        toll_frame_id frame = toll_profile_node_frame(p->tree, n);
        if (!*lines && t->values[n] && frame != TOLL_NONE) {
            toll_frame place = toll_profile_frame(p->tree, frame);
            *lines = place.at_line || place.at_address;
        }
    }
    return TOLL_OK;
}

/* How values that are made of samples are to be shown; of a comparison that they are. */
static void put_precision(const toll_stack_tree *p, toll_value_type v, int64_t sum,
                          toll_output *out)
{
    toll_precision precision = { 0 };
    for (int side = 0; side < TOLL_SIDE_COUNT && !precision.least; side++) {
        uint32_t column =
            p->sides[side] ? toll_profile_find_value_type(p->sides[side], v) : TOLL_NONE;
        if (column != TOLL_NONE)
            precision = toll_precision_of(p->sides[side], column, sum);
    }
    if (precision.least && p->sides[TOLL_SIDE_BEFORE])
        toll_json_put_text(out, ",\"sampled\":{}");
    else if (precision.least)
        toll_output_printf(out,
                           ",\"sampled\":{\"least\":%" PRId64 ",\"bound\":%" PRId64
                           ",\"samples\":%" PRIu64 "%s}",
                           precision.least, precision.bound, precision.samples,
                           precision.are_windows ? ",\"windows\":true" : "");
}

static toll_status put_value(toll_page_tables *t, uint32_t column, toll_output *out,
                             toll_error *err)
{
    toll_value_type v = toll_profile_column(t->tree->tree, column);
    int64_t sum, before = 0;
    bool lines = false, compares = t->tree->sides[TOLL_SIDE_BEFORE] != NULL;
    toll_status status = sum_up(t, TOLL_SIDE_AFTER, column, &sum, &lines, err);
    if (!status && compares)
        status = sum_up(t, TOLL_SIDE_BEFORE, column, &before, &lines, err);
    if (status)
        return status;
    toll_json_put_text(out, "{\"type\":");
    toll_json_put_string(out, v.type);
    toll_json_put_text(out, ",\"unit\":");
    toll_json_put_string(out, v.unit);
    toll_json_put_text(out, ",\"name\":");
    toll_json_put_string(out, v.type);
    toll_output_printf(out, ",\"sum\":\"%" PRId64 "\"", sum);
    if (compares)
        toll_output_printf(out, ",\"sumBefore\":\"%" PRId64 "\"", before);
    put_precision(t->tree, v, sum, out);
    toll_output_printf(out, ",\"lines\":%s}", lines ? "true" : "false");
    return TOLL_OK;
}

static toll_status put_values(toll_page_tables *t, toll_output *out, toll_error *err)
{
    toll_status status = TOLL_OK;
    toll_json_put_text(out, ",\n\"values\":[");
    for (uint32_t c = 0; !status && c < toll_profile_column_count(t->tree->tree); c++) {
        toll_json_put_text(out, c ? ",\n" : "\n");
        status = put_value(t, c, out, err);
    }
    toll_json_put_text(out, "]");
    return status;
}

static int64_t column_of_type(const toll_profile *p, const char *type)
{
    uint32_t column = toll_profile_find_column(p, type);
    return column == TOLL_NONE ? -1 : (int64_t)column;
}

/* --- what is known of the run ------------------------------------------------------------------*/

static void put_note(toll_output *out, bool *first, const char *side, const char *text,
                     const char *count)
{
    toll_json_put_text(out, *first ? "\"" : ",\n\"");
    toll_json_put_inner(out, side);
    toll_json_put_inner(out, text);
    toll_json_put_inner(out, count);
    toll_json_put_text(out, "\"");
    *first = false;
}

static void put_notes_of(toll_output *out, const toll_profile *p, const char *side, bool *first)
{
    for (uint32_t i = 0; p && i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        char number[TOLL_VALUE_TEXT_SIZE + 2] = ": ", outside[300];
        toll_value_text(count > INT64_MAX ? INT64_MAX : (int64_t)count, "count", number + 2);
        if (toll_report_outside_text(p, i, outside, sizeof outside))
            put_note(out, first, side, outside, "");
        else
            put_note(out, first, side, text, number);
    }
}

static void put_count(toll_output *out, bool *first, const char *text, uint32_t count)
{
    char number[16];
    snprintf(number, sizeof number, ": %" PRIu32, count);
    if (count)
        put_note(out, first, "", text, number);
}

/* Write what the timeline contains that is not in the page. */
static void put_timeline_note(const toll_page_timeline *t, toll_output *out, bool *first)
{
    char count[TOLL_VALUE_TEXT_SIZE], text[200];
    if (t->compares)
        put_note(out, first, "", "a comparison has no order in time: open one file alone", "");
    if (!t->too_many)
        return;
    toll_value_text((int64_t)t->too_many, "count", count);
    snprintf(text, sizeof text,
             "the order in time is left out: its %s events are more than a browser holds; toll "
             "convert -o NAME.pftrace writes them for ui.perfetto.dev",
             count);
    put_note(out, first, "", text, "");
}

static void put_notes(const toll_page_tables *t, toll_output *out)
{
    const toll_stack_tree *p = t->tree;
    const toll_page_sources *source = &t->source.files;
    char text[TOLL_WHERE_TEXT_SIZE];
    bool first = true;
    toll_json_put_text(out, ",\n\"notes\":[");
    if (p->shown.instead != TOLL_NONE)
        put_note(out, &first, "", toll_shown_text(p->tree, &p->shown, text, sizeof text), "");
    put_notes_of(out, p->sides[TOLL_SIDE_AFTER], "", &first);
    put_notes_of(out, p->sides[TOLL_SIDE_BEFORE], "before: ", &first);
    put_count(out, &first, "source files that are not there", source->missing);
    put_count(out, &first, "source files outside the folders that may be shown, left out",
              source->outside);
    put_count(out, &first, "source files that are no text, or larger than 8 MiB, left out",
              source->unreadable);
    put_timeline_note(t->timeline, out, &first);
    put_count(out, &first, "source files for which this page has no room", source->no_room);
    toll_json_put_text(out, "]");
}

/* Source files whose text is not their own: what it is embedded in, by path. */
static void put_origins(const toll_page_source *source, toll_output *out)
{
    size_t size;
    if (!source->origin_count)
        return;
    const char *text = toll_output_data(source->origins, &size);
    toll_json_put_text(out, ",\n\"embedded\":");
    toll_output_write(out, text, size);
}

static void put_threads(const toll_stack_tree *p, toll_output *out)
{
    toll_json_put_text(out, ",\n\"threads\":[");
    for (uint32_t i = 0; i < p->thread_count; i++) {
        toll_json_put_text(out, i ? "," : "");
        toll_json_put_string(out, toll_profile_thread_title(p->tree, p->order.threads[i]));
    }
    toll_json_put_text(out, "]");
}

static void put_times(const toll_profile *p, toll_output *out)
{
    if (toll_profile_start_ns(p))
        toll_output_printf(out, ",\n\"time\":\"%" PRId64 "\"", toll_profile_start_ns(p));
    if (toll_profile_duration_ns(p))
        toll_output_printf(out, ",\n\"duration\":%" PRId64, toll_profile_duration_ns(p));
}

/* Write the functions that only allocate for their callers, if the profile is of a heap. */
static void put_allocators(const toll_stack_tree *p, toll_output *out)
{
    static const toll_value_type heap[] = { { "inuse_space", "bytes" },
                                            { "alloc_space", "bytes" },
                                            { "inuse_objects", "count" },
                                            { "alloc_objects", "count" } };
    bool is_of_heap = false, first = true;
    for (size_t i = 0; i < sizeof heap / sizeof *heap; i++)
        is_of_heap |= toll_profile_find_value_type(p->tree, heap[i]) != TOLL_NONE;
    for (uint32_t i = 0; is_of_heap && i < p->order.frame_count; i++) {
        toll_frame_id id = p->order.frames[i];
        if (p->order.function[id] != i ||
            !toll_is_allocator(toll_profile_frame(p->tree, id).name, NULL))
            continue;
        toll_output_printf(out, first ? ",\n\"allocators\":[%" PRIu32 : ",%" PRIu32, i);
        first = false;
    }
    if (!first)
        toll_json_put_text(out, "]");
}

/* Write how the values were obtained. A reader that knows of sampling adds a comment to the
 * profile. Only tools that see every call count calls. */
static void put_exact(const toll_stack_tree *p, toll_output *out)
{
    const char *sampled = NULL;
    bool is_exact = toll_has_every_call(p->tree);
    for (int side = 0; side < TOLL_SIDE_COUNT; side++)
        if (p->sides[side] && !sampled)
            sampled = toll_sampled_how(p->sides[side]);
    toll_output_printf(out, ",\n\"exact\":%s", sampled ? "false" : is_exact ? "true" : "null");
    if (sampled)
        put_member(out, "sampled", sampled);
}

/* --- the header --------------------------------------------------------------------------------*/

static void put_blocks(const toll_block_info *blocks, uint32_t count, toll_output *out)
{
    char name[TOLL_BLOCK_NAME_SIZE];
    toll_json_put_text(out, ",\n\"blocks\":{");
    for (uint32_t i = 0; i < count; i++)
        toll_output_printf(out, "%s\n\"%s\":{\"items\":%" PRIu64 ",\"bytes\":%" PRIu64 "}",
                           i ? "," : "", toll_page_block_name(&blocks[i], name), blocks[i].items,
                           blocks[i].bytes);
    toll_json_put_text(out, "}}\n");
}

/* Write the titles of the snapshots between the two. */
static void put_between(const toll_stack_tree *p, const toll_page_options *o, toll_output *out)
{
    for (uint32_t i = 0; i + TOLL_SIDE_COUNT < p->side_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, i + 2); /* the first is the one before */
        toll_json_put_text(out, i ? "," : ",\n\"between\":[");
        toll_json_put_string(out, o->between_titles ? o->between_titles[i] : number);
    }
    toll_json_put_text(out, p->side_count > TOLL_SIDE_COUNT ? "]" : "");
    if (p->side_count > TOLL_SIDE_COUNT && o->series)
        put_member(out, "series", o->series);
}

toll_status toll_page_write_header(toll_page_tables *t, const toll_page_options *o,
                                   const toll_block_info *blocks, uint32_t block_count,
                                   toll_output *out, toll_error *err)
{
    const toll_stack_tree *p = t->tree;
    toll_json_put_text(out, "{\"version\":2");
    put_member(out, "generator", "toll " TOLL_VERSION_STRING);
    put_member(out, "title", o->title);
    if (p->sides[TOLL_SIDE_BEFORE])
        put_member(out, "before", o->before);
    put_between(p, o, out);
    if (o->in_time)
        put_member(out, "layout", "time");
    toll_status status = put_values(t, out, err);
    if (status)
        return status;
    toll_output_printf(out, ",\n\"default\":%u",
                       p->shown.column == TOLL_NONE ? 0 : (unsigned)p->shown.column);
    toll_output_printf(out, ",\n\"calls\":%" PRId64 ",\"executions\":%" PRId64,
                       column_of_type(p->tree, "calls"), column_of_type(p->tree, "executions"));
    put_threads(p, out);
    put_origins(&t->source, out);
    put_allocators(p, out);
    toll_output_printf(out, ",\n\"nodes\":%u,\"frames\":%u,\"strings\":%u", p->node_count,
                       p->order.frame_count, t->string_count);
    put_notes(t, out);
    put_exact(p, out);
    put_times(p->sides[TOLL_SIDE_AFTER], out);
    toll_page_timeline_header(t->timeline, &p->order, out);
    put_blocks(blocks, block_count, out);
    return TOLL_OK;
}
