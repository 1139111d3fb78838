/* sections.c - scopes, starts and ends of sections. Totals and nets are computed when the scope
 * ends (section_net.c). See toll/sections.h. */
#include "sections/section_place.h"
#include "sections/sections_data.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/sized_options.h"

enum { SHOWN_ID = 100 }; /* bytes of an id in a message */

toll_status toll_sections_create(const toll_sections_options *options, toll_sections **out,
                                 toll_error *err)
{
    toll_sections_options o;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    toll_status status = toll_options_copy(&o, sizeof o, options, "toll_sections_options", err);
    if (status)
        return status;
    toll_mem mem = toll_mem_from(o.allocator);
    toll_sections *s = toll_mem_new(&mem, 1, sizeof *s);
    if (!s)
        return toll_fail_nomem(err);
    s->mem = mem;
    s->recorder = o.recorder;
    s->flip = o.counts_down ? UINT64_MAX : 0;
    toll_strtab_init(&s->ids, &s->mem);
    *out = s;
    return TOLL_OK;
}

void toll_sections_free(toll_sections *s)
{
    if (!s)
        return;
    toll_mem mem = s->mem;
    toll_mem_free(&mem, s->list, s->capacity, sizeof *s->list);
    toll_mem_free(&mem, s->by_id, s->id_capacity, sizeof *s->by_id);
    toll_mem_free(&mem, s->scopes, s->scope_capacity, sizeof *s->scopes);
    toll_mem_free(&mem, s->results, s->result_capacity, sizeof *s->results);
    toll_strtab_free(&s->ids);
    toll_mem_free(&mem, s, 1, sizeof *s);
}

uint64_t toll_sections_orphans(const toll_sections *s)
{
    return s->orphans;
}

uint64_t toll_sections_backward(const toll_sections *s)
{
    return s->backward;
}

/* How much the counter has moved since the first event. */
static uint64_t spent_at(toll_sections *s, uint64_t now)
{
    if (!s->started) {
        s->started = true;
        s->last = now;
    }
    uint64_t step = ((now - s->last) ^ s->flip) - s->flip;
    s->last = now;
    if (step > INT64_MAX)
        s->backward++;
    else
        s->spent += step;
    return s->spent;
}

void toll_sections_rebase(toll_sections *s, const uint64_t *now)
{
    s->started = true;
    s->last = *now;
    if (s->recorder)
        toll_recorder_rebase(s->recorder, now);
}

/* --- scopes ------------------------------------------------------------------------------------*/

/* The index in the list of the innermost scope's first section. */
static size_t scope_start(const toll_sections *s)
{
    return s->scope_count ? s->scopes[s->scope_count - 1].first : 0;
}

toll_status toll_sections_push(toll_sections *s, const uint64_t *now, toll_error *err)
{
    spent_at(s, *now);
    if (s->recorder)
        toll_recorder_charge(s->recorder, now);
    if (!toll_array_grow(&s->mem, &s->scopes, &s->scope_capacity, s->scope_count, 1))
        return toll_fail_nomem(err);
    s->scopes[s->scope_count++] = (toll_section_scope){ s->count, s->events };
    s->events = 0;
    return TOLL_OK;
}

/* --- begin -------------------------------------------------------------------------------------*/

/* Find or make the number of the id `text`, and its entry in by_id. TOLL_NONE: no memory. */
static uint32_t find_id(toll_sections *s, const void *text, size_t size)
{
    uint32_t id = toll_strtab_add(&s->ids, text, size);
    if (id == UINT32_MAX)
        return TOLL_NONE;
    size_t old = s->id_capacity;
    if (!toll_array_grow(&s->mem, &s->by_id, &s->id_capacity, id, 1))
        return TOLL_NONE;
    for (size_t i = old; i < s->id_capacity; i++)
        s->by_id[i] = (toll_section_id){ TOLL_NONE, TOLL_NONE };
    return id;
}

/* Find or make the frame for the id. */
static toll_frame_id frame_of(toll_sections *s, uint32_t id)
{
    toll_section_id *known = &s->by_id[id];
    if (known->frame != TOLL_NONE)
        return known->frame;
    toll_buffer room;
    toll_frame frame;
    toll_buffer_init(&room, &s->mem);
    if (!toll_section_frame(&room, toll_strtab_text(&s->ids, id), toll_strtab_size(&s->ids, id),
                            &frame) ||
        toll_recorder_add_frame(s->recorder, &frame, &known->frame, NULL))
        known->frame = TOLL_NONE;
    toll_buffer_free(&room);
    return known->frame;
}

/* Enter a frame for the section in the recorder's stack, if there is room. */
static void begin_frame(toll_sections *s, toll_section_record *section, const uint64_t *now)
{
    toll_frame_id frame = frame_of(s, section->id);
    if (frame != TOLL_NONE && !toll_recorder_section_begin(s->recorder, frame, now, NULL)) {
        section->has_frame = true;
        section->node = toll_recorder_begun_section(s->recorder);
        return;
    }
    toll_recorder_charge(s->recorder, now);
    toll_recorder_note(s->recorder,
                       "sections that no stack shows: too many were open, or no memory", 1, NULL);
}

/* Is the heap value tracked? A program may pass any number; one so large that sums could overflow
 * is ignored. */
static bool tracks_heap(toll_sections *s, const uint64_t *heap)
{
    if (heap && *heap > TOLL_MAX_SECTION_HEAP && s->recorder)
        toll_recorder_note(s->recorder, "heap values above 2^62, not tracked", 1, NULL);
    return heap && *heap <= TOLL_MAX_SECTION_HEAP;
}

toll_status toll_sections_begin(toll_sections *s, const void *id_text, size_t id_size,
                                const uint64_t *heap, const uint64_t *now, toll_error *err)
{
    uint64_t spent = spent_at(s, *now);
    if (!id_text && id_size)
        return toll_fail_null(err, "id");
    if (id_size > TOLL_MAX_SECTION_ID)
        return toll_fail(err, TOLL_E_LIMIT, "a section's id has %zu bytes; %d is the limit",
                         id_size, TOLL_MAX_SECTION_ID);
    if (s->count - scope_start(s) >= TOLL_MAX_SCOPE_SECTIONS)
        return toll_fail(err, TOLL_E_LIMIT, "more than 2^29 sections in one instruction");
    if (!toll_array_grow(&s->mem, &s->list, &s->capacity, s->count, 1))
        return toll_fail_nomem(err);
    uint32_t id = find_id(s, id_text ? id_text : "", id_size);
    if (id == TOLL_NONE)
        return toll_fail_nomem(err);
    toll_section_record *section = &s->list[s->count];
    *section = (toll_section_record){
        .id = id,
        .outer = s->by_id[id].open,
        .begin_event = s->events++,
        .end_event = TOLL_NONE,
        .begin_spent = spent,
        .has_heap = tracks_heap(s, heap),
        .begin_heap = heap ? *heap : 0,
    };
    if (s->recorder)
        begin_frame(s, section, now);
    s->by_id[id].open = (uint32_t)s->count++;
    return TOLL_OK;
}

/* --- end ---------------------------------------------------------------------------------------*/

static void end_frame(toll_sections *s, const toll_section_record *section, const uint64_t *now)
{
    if (!section->has_frame)
        toll_recorder_charge(s->recorder, now);
    else if (toll_recorder_section_end(s->recorder, s->by_id[section->id].frame, now, NULL))
        toll_recorder_note(s->recorder, "sections that ended on another track", 1, NULL);
}

static toll_status fail_not_open(toll_sections *s, const void *id, size_t size, toll_error *err)
{
    toll_buffer name;
    toll_buffer_init(&name, &s->mem);
    toll_section_append_id(&name, id, size < SHOWN_ID ? size : SHOWN_ID);
    const char *text = toll_buffer_cstr(&name);
    toll_status status =
        toll_fail(err, TOLL_E_NOT_FOUND, "no section '%s' is open", text ? text : "");
    toll_buffer_free(&name);
    return status;
}

toll_status toll_sections_end(toll_sections *s, const void *id_text, size_t id_size,
                              const uint64_t *heap, const uint64_t *now, toll_error *err)
{
    uint64_t spent = spent_at(s, *now);
    if (!id_text && id_size)
        return toll_fail_null(err, "id");
    id_text = id_text ? id_text : "";
    uint32_t id = toll_strtab_find(&s->ids, id_text, id_size);
    uint32_t open = id == UINT32_MAX || id >= s->id_capacity ? TOLL_NONE : s->by_id[id].open;
    if (open == TOLL_NONE || open < scope_start(s)) {
        s->orphans++;
        if (s->recorder) {
            toll_recorder_charge(s->recorder, now);
            toll_recorder_note(s->recorder, "ends of sections that were not open", 1, NULL);
        }
        return fail_not_open(s, id_text, id_size, err);
    }
    toll_section_record *section = &s->list[open];
    s->by_id[id].open = section->outer;
    section->end_event = s->events++;
    section->end_spent = spent;
    section->has_heap = tracks_heap(s, heap) && section->has_heap;
    section->end_heap = heap ? *heap : 0;
    if (s->recorder)
        end_frame(s, section, now);
    return TOLL_OK;
}

/* Close the sections of the innermost scope that are still open. */
static void close_open(toll_sections *s, size_t first, const uint64_t *now)
{
    for (size_t i = s->count; i-- > first;) {
        toll_section_record *section = &s->list[i];
        if (section->end_event != TOLL_NONE)
            continue;
        s->by_id[section->id].open = section->outer;
        section->end_spent = s->spent;
        if (!s->recorder)
            continue;
        end_frame(s, section, now);
        toll_recorder_note_open_section(s->recorder, toll_strtab_text(&s->ids, section->id));
    }
}

toll_status toll_sections_pop(toll_sections *s, const uint64_t *now, toll_section_results *out,
                              toll_error *err)
{
    size_t first = scope_start(s);
    toll_section_results unwanted;
    spent_at(s, *now);
    if (s->recorder)
        toll_recorder_charge(s->recorder, now);
    close_open(s, first, now);
    toll_status status = toll_sections_results(s, first, out ? out : &unwanted, err);
    s->count = first;
    s->events = s->scope_count ? s->scopes[--s->scope_count].outer_events : 0;
    return status;
}
