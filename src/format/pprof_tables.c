/* pprof_tables.c - see pprof_tables.h. */
#include "format/pprof_tables.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "format/format_row.h"

#include <string.h>

static size_t room(const pprof_tables *t)
{
    return (size_t)t->order->frame_count + 1;
}

toll_status toll_pprof_tables_create(pprof_tables *t, const toll_order *order, toll_error *err)
{
    *t = (pprof_tables){ .order = order, .mem = order->mem, .outside = TOLL_NONE };
    toll_u64map_init(&t->by_outer, &t->mem);
    toll_u64map_init(&t->file_ids, &t->mem);
    toll_u64map_init(&t->parts, &t->mem);
    t->by_frame = toll_mem_new(&t->mem, room(t), sizeof *t->by_frame);
    t->function_of = toll_mem_new(&t->mem, room(t), sizeof *t->function_of);
    if (!t->by_frame || !t->function_of)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < room(t); i++)
        t->by_frame[i] = t->function_of[i] = TOLL_NONE;
    for (uint32_t i = 0; i < order->frame_count; i++)
        t->inlined |= toll_profile_frame(order->profile, i).kind == TOLL_KIND_INLINED;
    return TOLL_OK;
}

void toll_pprof_tables_free(pprof_tables *t)
{
    if (!t->order)
        return;
    toll_mem_free(&t->mem, t->by_frame, room(t), sizeof *t->by_frame);
    toll_mem_free(&t->mem, t->function_of, room(t), sizeof *t->function_of);
    toll_mem_free(&t->mem, t->locations, t->location_capacity, sizeof *t->locations);
    toll_mem_free(&t->mem, t->functions, t->function_capacity, sizeof *t->functions);
    toll_mem_free(&t->mem, t->mappings, t->mapping_capacity, sizeof *t->mappings);
    toll_id_index_free(&t->mapping_index, &t->mem);
    toll_u64map_free(&t->by_outer);
    toll_u64map_free(&t->file_ids);
    toll_u64map_free(&t->parts);
}

toll_frame toll_pprof_met_frame(const pprof_tables *t, toll_frame_id frame)
{
    if (frame == TOLL_NONE)
        return (toll_frame){ .name = TOLL_OUTSIDE, .file = "", .system_name = "" };
    return toll_profile_frame(t->order->profile, frame);
}

/* --- functions ---------------------------------------------------------------------------------*/

static uint32_t add_function(pprof_tables *t, pprof_met_function function)
{
    if (!toll_array_grow(&t->mem, &t->functions, &t->function_capacity, t->function_count, 1))
        return TOLL_NONE;
    t->functions[t->function_count] = function;
    return (uint32_t)t->function_count++;
}

/* The part of a function that is in a file. The file's name is one string in the profile. */
static uint32_t part_of(pprof_tables *t, uint32_t function, const char *file)
{
    uint32_t number = toll_u64map_find(&t->file_ids, (uintptr_t)file);
    if (number == UINT32_MAX) {
        number = (uint32_t)t->file_ids.used;
        if (!toll_u64map_add(&t->file_ids, (uintptr_t)file, number))
            return TOLL_NONE;
    }
    uint64_t key = (uint64_t)function << 32 | number;
    uint32_t part = toll_u64map_find(&t->parts, key);
    if (part != UINT32_MAX)
        return part;
    part = add_function(t, (pprof_met_function){ t->functions[function].first, function, file });
    return part != TOLL_NONE && toll_u64map_add(&t->parts, key, part) ? part : TOLL_NONE;
}

static uint32_t function_of(pprof_tables *t, toll_frame_id frame)
{
    if (frame == TOLL_NONE)
        return add_function(t, (pprof_met_function){ TOLL_NONE, TOLL_NONE, "" });
    uint32_t first = t->order->function[frame], *function = &t->function_of[first];
    toll_frame f = toll_profile_frame(t->order->profile, frame);
    if (*function == TOLL_NONE)
        *function =
            add_function(t, (pprof_met_function){ t->order->frames[first], TOLL_NONE, f.file });
    return *function == TOLL_NONE || !*f.at_file ? *function : part_of(t, *function, f.at_file);
}

/* --- mappings ----------------------------------------------------------------------------------*/

/* The hash has a seed, which differs from run to run, against hash flooding. No output follows its
 * order. */
static uint32_t mapping_hash(const pprof_tables *t, const pprof_met_mapping *m)
{
    uint64_t seed = (uint64_t)(uintptr_t)t->by_frame + m->lines * 2u + m->addresses;
    uint64_t file = toll_hash_bytes(m->file, strlen(m->file), seed);
    return (uint32_t)toll_hash_bytes(m->build_id, strlen(m->build_id), file);
}

static bool is_same_mapping(const pprof_met_mapping *a, const pprof_met_mapping *b)
{
    return a->lines == b->lines && a->addresses == b->addresses && strcmp(a->file, b->file) == 0 &&
           strcmp(a->build_id, b->build_id) == 0;
}

static bool add_mapping(pprof_tables *t, const pprof_met_mapping *m, uint32_t *id)
{
    uint32_t hash = mapping_hash(t, m), i;
    size_t place = hash;
    while ((i = toll_id_index_next(&t->mapping_index, hash, &place)) != UINT32_MAX)
        if (is_same_mapping(&t->mappings[i], m)) {
            *id = i + 1;
            return true;
        }
    if (!toll_id_index_reserve(&t->mapping_index, &t->mem) ||
        !toll_array_grow(&t->mem, &t->mappings, &t->mapping_capacity, t->mapping_count, 1))
        return false;
    toll_id_index_add(&t->mapping_index, hash, (uint32_t)t->mapping_count);
    t->mappings[t->mapping_count++] = *m;
    *id = (uint32_t)t->mapping_count;
    return true;
}

/* Find the mapping that says what a location cannot: the kind or module of its frame, and whether
 * lines and addresses are places. 0 if there is nothing to say. There is one mapping for each kind
 * and module, and each way to give a place. `lines`: some frame of the location has a line. */
static bool find_mapping(pprof_tables *t, toll_frame_id frame, bool lines, uint32_t *id)
{
    static const char *const kinds[] = PPROF_KIND_NAMES;
    _Static_assert(sizeof kinds / sizeof *kinds == PPROF_KIND_COUNT, "a name for each kind");
    toll_frame f = toll_pprof_met_frame(t, frame);
    int kind = frame == TOLL_NONE ? PPROF_OUTSIDE : (int)f.kind;
    bool is_function = kind == TOLL_KIND_FUNCTION;
    pprof_met_mapping m = { .file = is_function ? f.module : kinds[kind],
                            .build_id = is_function ? f.build_id : "",
                            .lines = lines,
                            .addresses = f.at_address != 0 };
    *id = 0;
    return (is_function && !*m.file && !*m.build_id && !f.address && !m.lines && !m.addresses) ||
           add_mapping(t, &m, id);
}

/* --- locations ---------------------------------------------------------------------------------*/

static uint32_t add_location(pprof_tables *t, toll_frame_id frame, uint32_t outer)
{
    pprof_met_location l = { .frame = frame, .outer = outer, .function = function_of(t, frame) };
    toll_frame_id base = frame;
    bool lines = toll_pprof_met_frame(t, frame).at_line != 0;
    for (; outer != TOLL_NONE; outer = t->locations[outer].outer) {
        base = t->locations[outer].frame;
        lines |= toll_pprof_met_frame(t, base).at_line != 0;
    }
    if (l.function == TOLL_NONE || !find_mapping(t, base, lines, &l.mapping) ||
        !toll_array_grow(&t->mem, &t->locations, &t->location_capacity, t->location_count, 1))
        return TOLL_NONE;
    t->locations[t->location_count] = l;
    return (uint32_t)t->location_count++;
}

static uint32_t location_of_inlined(pprof_tables *t, uint32_t caller, toll_frame_id frame)
{
    uint64_t key = (uint64_t)caller << 32 | frame;
    uint32_t location = toll_u64map_find(&t->by_outer, key);
    if (location != TOLL_NONE)
        return location;
    location = add_location(t, frame, caller);
    return location != TOLL_NONE && toll_u64map_add(&t->by_outer, key, location) ? location
                                                                                 : TOLL_NONE;
}

uint32_t toll_pprof_location_of(pprof_tables *t, uint32_t caller, toll_frame_id frame)
{
    if (t->inlined && caller != TOLL_NONE &&
        toll_pprof_met_frame(t, frame).kind == TOLL_KIND_INLINED)
        return location_of_inlined(t, caller, frame);
    uint32_t *location = frame == TOLL_NONE ? &t->outside : &t->by_frame[frame];
    if (*location == TOLL_NONE)
        *location = add_location(t, frame, TOLL_NONE);
    return *location;
}
