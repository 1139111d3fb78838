/* sections_data.h - declares the parts of toll_sections. For this folder only. */
#ifndef TOLL_SECTIONS_DATA_H
#define TOLL_SECTIONS_DATA_H

#include "base/strtab.h"
#include "base/text.h"
#include "record/recorder_data.h"

#include <stdio.h>
#include <toll/sections.h>

enum {
    TOLL_MAX_SCOPE_SECTIONS = 1 << 29
}; /* each section has two events, whose numbers have 30
    * bits */

/* A section. The events of a scope (begins and ends) are numbered from 0. */
typedef struct toll_section_record {
    uint32_t id;
    uint32_t outer; /* the section with the same id that was open before; TOLL_NONE: none */
    uint32_t begin_event, end_event; /* TOLL_NONE: it has not ended */
    uint64_t begin_spent, end_spent;
    uint64_t begin_heap, end_heap;
    bool has_heap, has_frame;
    toll_node *node; /* the node of the recorder's tree at which it began; NULL: none */
} toll_section_record;

typedef struct toll_section_id {
    uint32_t open;       /* the open section with this id that began last; or TOLL_NONE */
    toll_frame_id frame; /* in the recorder; TOLL_NONE: none so far */
} toll_section_id;

typedef struct toll_section_scope {
    size_t first; /* index in the list of its first section */
    uint32_t outer_events;
} toll_section_scope;

struct toll_sections {
    toll_mem mem;
    toll_recorder *recorder; /* borrowed; NULL: none */
    uint64_t flip;           /* as in toll_counter_state */
    bool started;
    uint64_t last, spent; /* the counter's last value, and its movement since the first event */
    toll_strtab ids;
    toll_section_id *by_id;
    size_t id_capacity;
    toll_section_record *list; /* of all scopes, in the order in which they began */
    size_t count, capacity;
    uint32_t events; /* number of events of the innermost scope */
    toll_section_scope *scopes;
    size_t scope_count, scope_capacity;
    toll_section *results;
    size_t result_capacity;
    uint64_t orphans, backward;
};

/* Append the id, with one blank before the place that it names, and each unprintable character
 * replaced by ?. */
void toll_section_append_id(toll_buffer *line, const char *id, size_t size);

/* Compute totals and nets of the sections from `first` on. Errors: TOLL_E_NOMEM. */
toll_status toll_sections_results(toll_sections *sections, size_t first, toll_section_results *out,
                                  toll_error *err);

#endif
