/* page_lanes.c - see page_lanes.h. */
#include "page_lanes.h"

#include "page_elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the header --------------------------------------------------------------------------------*/

static char *take_text(toll_json *j)
{
    page_require(toll_json_next(j) == TOLL_JSON_STRING, "a text in the header");
    return page_copy(toll_json_text(j));
}

static uint64_t take_place(toll_json *j)
{
    page_require(toll_json_next(j) == TOLL_JSON_STRING, "a place on an axis");
    return strtoull(toll_json_text(j), NULL, 10);
}

static void take_axes(page_lanes *p, toll_json *j)
{
    page_require(toll_json_next(j) == TOLL_JSON_ARRAY, "axes");
    while (toll_json_next(j) == TOLL_JSON_OBJECT) {
        page_require(p->axis_count < 2, "two axes at most");
        while (toll_json_next(j) == TOLL_JSON_KEY) {
            bool is_type = toll_json_is(j, "type");
            *(is_type ? &p->types[p->axis_count] : &p->units[p->axis_count]) = take_text(j);
        }
        p->axis_count++;
    }
}

static void take_lane(page_lane *lane, toll_json *j)
{
    *lane = (page_lane){ 0 };
    while (toll_json_next(j) == TOLL_JSON_KEY)
        if (toll_json_is(j, "name"))
            lane->name = take_text(j);
        else if (toll_json_is(j, "events"))
            lane->count = (uint64_t)page_take_number(j);
        else if (toll_json_is(j, "depth"))
            lane->depth = (uint64_t)page_take_number(j);
        else if (toll_json_is(j, "begin"))
            lane->begin = take_place(j);
        else if (toll_json_is(j, "end"))
            lane->end = take_place(j);
        else if (toll_json_is(j, "thread"))
            lane->thread = page_take_number(j);
        else if (toll_json_is(j, "block"))
            lane->block = page_take_number(j);
        else
            page_require(false, "an unknown member of a thread");
}

static void take_timeline(page_lanes *p, toll_json *j)
{
    p->is_there = true;
    page_require(toll_json_next(j) == TOLL_JSON_OBJECT, "the timeline");
    while (toll_json_next(j) == TOLL_JSON_KEY)
        if (toll_json_is(j, "axes")) {
            take_axes(p, j);
        } else if (toll_json_is(j, "threads")) {
            page_require(toll_json_next(j) == TOLL_JSON_ARRAY, "its threads");
            while (toll_json_next(j) == TOLL_JSON_OBJECT) {
                p->lanes = realloc(p->lanes, (p->count + 1) * sizeof *p->lanes);
                page_require(p->lanes != NULL, "no memory");
                take_lane(&p->lanes[p->count++], j);
            }
        } else {
            page_require(toll_json_is(j, "cut"), "an unknown member of the timeline");
            p->cut = toll_json_next(j) == TOLL_JSON_TRUE;
        }
}

static void take_header(void *user, toll_json *j)
{
    page_lanes *p = user;
    page_require(toll_json_next(j) == TOLL_JSON_OBJECT, "the header");
    while (toll_json_next(j) == TOLL_JSON_KEY)
        if (toll_json_is(j, "timeline"))
            take_timeline(p, j);
        else if (toll_json_is(j, "threads"))
            p->threads = page_take_texts(j, &p->thread_count);
        else if (toll_json_is(j, "frames"))
            p->frame_count = (uint32_t)page_take_number(j);
        else
            toll_json_skip_next(j);
}

/* --- frames ------------------------------------------------------------------------------------*/

static void take_strings(void *user, toll_json *j)
{
    page_lanes *p = user;
    p->strings = page_take_texts(j, &p->string_count);
}

static const char *next_string(const page_lanes *p, page_bytes *b)
{
    uint64_t id = page_number(b);
    page_require(id < p->string_count, "a string that is not there");
    return p->strings[id];
}

static void read_frames(page_lanes *p, page_text text)
{
    uint32_t count = p->frame_count;
    page_bytes b = page_block(text, "frames");
    p->frames = page_room(count, sizeof *p->frames);
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].name = next_string(p, &b);
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].file = next_string(p, &b);
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].line = (uint32_t)page_number(&b);
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].kind = (toll_frame_kind)page_number(&b);
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].module = next_string(p, &b);
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].at_line = (uint32_t)page_number(&b);
    for (uint32_t i = 0; i < count; i++)
        page_require(page_number(&b) <= i, "a function comes after its places");
    for (uint32_t i = 0; i < count; i++)
        p->frames[i].at_file = next_string(p, &b);
    for (uint32_t i = 0; i < count; i++)
        next_string(p, &b); /* the name in short */
    page_end_block(&b);
}

/* --- events ------------------------------------------------------------------------------------*/

static page_bytes column(page_text text, const char *name, int64_t block)
{
    char full[64];
    snprintf(full, sizeof full, "timeline-%s-%d", name, (int)block);
    return page_block(text, full);
}

static void read_lane(page_lanes *p, page_lane *lane, page_bytes *columns)
{
    uint64_t at = lane->begin, second = 0;
    lane->events = page_room(lane->count, sizeof *lane->events);
    for (uint64_t i = 0; i < lane->count; i++) {
        uint64_t code = page_number(&columns[0]);
        at += page_number(&columns[1]);
        second += p->axis_count == 2 ? page_number(&columns[2]) : 0;
        lane->events[i] = (page_event){ .is_open = code != 0,
                                        .is_call = code % 2 == 1,
                                        .frame = code ? (uint32_t)((code - 1) / 2) : 0,
                                        .at = at,
                                        .second = second };
        page_require(!code || (code - 1) / 2 < p->frame_count, "a frame that is not there");
    }
}

static void read_lanes(page_lanes *p, page_text text)
{
    page_bytes columns[3] = { { 0 } };
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t block = p->lanes[i].block, before = i ? p->lanes[i - 1].block : -1;
        page_require(block == before || block == before + 1, "blocks in their order");
        if (block != before) {
            for (uint32_t c = 0; i && c <= p->axis_count; c++)
                page_end_block(&columns[c]);
            columns[0] = column(text, "events", block);
            columns[1] = column(text, "steps", block);
            if (p->axis_count == 2)
                columns[2] = column(text, "second", block);
        }
        read_lane(p, &p->lanes[i], columns);
    }
    for (uint32_t c = 0; p->count && c <= p->axis_count; c++)
        page_end_block(&columns[c]);
}

void page_lanes_read(page_lanes *p, const char *text, size_t size)
{
    page_text page = { text, text + size };
    const char *header = page_element(page, "toll-header", &size);
    memset(p, 0, sizeof *p);
    page_require(header != NULL, "the header");
    page_with_json(header, size, take_header, p);
    page_bytes strings = page_block(page, "strings");
    page_with_json((const char *)strings.data, strings.size, take_strings, p);
    free(strings.data);
    read_frames(p, page);
    read_lanes(p, page);
}

void page_lanes_free(page_lanes *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        free(p->lanes[i].name);
        free(p->lanes[i].events);
    }
    free(p->lanes);
    for (uint32_t i = 0; i < p->axis_count; i++) {
        free(p->types[i]);
        free(p->units[i]);
    }
    page_free_texts(p->threads, p->thread_count);
    page_free_texts(p->strings, p->string_count);
    free(p->frames);
}
