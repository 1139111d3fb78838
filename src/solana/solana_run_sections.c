/* solana_run_sections.c - handles sections in the logs of open invocations. See
 * solana_run_state.h. */
#include "base/array.h"
#include "sections/section_place.h"
#include "solana/solana_run_state.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 4 }; /* sections whose net differs and that a note names */

static bool add_section(toll_solana_run *r, uint32_t name, int64_t total, int64_t net)
{
    if (!toll_array_grow(&r->tree.mem, &r->sections, &r->section_capacity, r->section_count, 1))
        return toll_no_memory(r->tree.failure);
    r->sections[r->section_count++] =
        (toll_solana_section){ .name = name, .total = total, .net = net };
    return true;
}

static bool read_section(toll_solana_run *r, toll_solana_open *v,
                         const toll_solana_section_line *line)
{
    uint32_t id = v->section_name;
    if (line->kind == SECTION_HEAP && r->section_count > v->first_section) {
        r->sections[r->section_count - 1].heap_total = line->total;
        r->sections[r->section_count - 1].heap_net = line->net;
        return true;
    }
    if (line->name && !toll_solana_tree_string(&r->tree, line->name, line->name_size, &id))
        return false;
    v->expects_place = line->kind == SECTION_NAME;
    v->section_name = v->expects_place ? id : TOLL_NONE;
    if (line->kind == SECTION_NAME)
        return true;
    if (line->kind == SECTION_HEAP || id == TOLL_NONE) {
        r->tree.notes[SOLANA_NOTE_SECTION_LINE]++;
        return true;
    }
    return add_section(r, id, line->total, line->net);
}

/* The line after the name of a section may be the place of its function. */
static bool read_place(toll_solana_run *r, toll_solana_open *v, const char *text, size_t size,
                       bool *any)
{
    toll_buffer *id = &r->tree.text;
    v->expects_place = false;
    toll_buffer_clear(id);
    toll_buffer_append(id, toll_strtab_text(&r->tree.strings, v->section_name),
                       toll_strtab_size(&r->tree.strings, v->section_name));
    size_t name_size = id->size;
    toll_buffer_append_byte(id, '\n');
    toll_buffer_append(id, text, size);
    if (id->failed)
        return toll_no_memory(r->tree.failure);
    const char *whole = (const char *)id->data;
    toll_section_place place = toll_section_split(whole, id->size);
    if (!place.file_size || place.name_size != name_size)
        return true;
    *any = true;
    return toll_solana_tree_string(&r->tree, whole, id->size, &v->section_name);
}

bool toll_solana_read_sections(toll_solana_run *r, const char *text, size_t size, bool *any)
{
    bool good = true;
    toll_solana_open *v = toll_solana_section_owner(r);
    *any = false;
    while (good && size) {
        const char *end = memchr(text, '\n', size);
        size_t n = end ? (size_t)(end - text) : size;
        toll_solana_section_line line;
        toll_solana_section_parse(text, n, &line);
        *any |= line.kind != SECTION_NONE;
        if (line.kind == SECTION_NONE && v && v->expects_place)
            good = read_place(r, v, text, n, any);
        if (line.kind == SECTION_OPEN)
            r->tree.notes[SOLANA_NOTE_SECTION_OPEN]++;
        else if (line.kind != SECTION_NONE && v)
            good = read_section(r, v, &line);
        else if (line.kind != SECTION_NONE)
            r->tree.notes[SOLANA_NOTE_SECTION_LINE]++;
        text += n + (end != NULL);
        size -= n + (end != NULL);
    }
    return good;
}

static bool count_section(toll_solana_run *r, const toll_solana_section *s)
{
    char text[200];
    if (!s->placed)
        r->tree.notes[SOLANA_NOTE_CROSSING]++;
    if (!s->placed || !s->differs || r->tree.notes[SOLANA_NOTE_DIFFERS]++ >= MOST_NAMED)
        return true;
    snprintf(text, sizeof text, "net of section '%.100s' recomputed",
             toll_strtab_text(&r->tree.strings, s->name));
    return toll_solana_tree_note(&r->tree, text, 1);
}

/* From the last to the first, since a section that contains another ended after it. */
bool toll_solana_add_sections(toll_solana_run *r, const toll_solana_open *v)
{
    size_t count = r->section_count - v->first_section;
    bool good = true;
    if (count == 0)
        return true;
    toll_solana_section *all = r->sections + v->first_section;
    if (!toll_array_grow(&r->tree.mem, &r->places, &r->place_capacity, 0, count))
        return toll_no_memory(r->tree.failure);
    toll_solana_place(all, count, r->places);
    for (size_t i = count; good && i-- > 0;) {
        const toll_solana_section *s = &all[i];
        toll_solana_item item = { .parent = s->parent == TOLL_NONE ? v->item : r->places[s->parent],
                                  .name = s->name,
                                  .kind = ITEM_SECTION,
                                  .spent = { .is_logged = true, .total = s->total, .self = s->net },
                                  .heap = s->heap_net };
        good = count_section(r, s);
        if (good && s->placed) /* from here on places[] has each section's item */
            good = toll_solana_tree_add(&r->tree, &item, &r->places[i]);
    }
    r->section_count = v->first_section;
    return good;
}

/* --- after the end of an invocation ------------------------------------------------------------*/

/* Can the sections after the end of the invocation be its own? One with more units than it has is
 * its caller's. */
static bool owns_sections(toll_solana_run *r, const toll_solana_open *v)
{
    const toll_solana_spent *spent = &r->tree.items[v->item].spent;
    for (size_t i = v->first_section; spent->is_logged && i < r->section_count; i++)
        if (r->sections[i].total > spent->total)
            return false;
    return true;
}

bool toll_solana_complete(toll_solana_run *r)
{
    if (!r->has_ended)
        return true;
    const toll_solana_open *v = &r->open[r->open_count];
    r->has_ended = false;
    return (r->open_count && !owns_sections(r, v)) || toll_solana_add_sections(r, v);
}
